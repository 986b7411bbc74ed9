"""How the property tests of this folder run."""

from hypothesis import HealthCheck, settings


def examples(count: int) -> settings:
    """Try ``count`` examples without watching the clock: a busy machine is no fault of the code."""
    return settings(max_examples=count, deadline=None, suppress_health_check=[HealthCheck.too_slow])
