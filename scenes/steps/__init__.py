"""The steps of a calculation, each with the verbs that play it. A chapter says when; a step knows how."""
