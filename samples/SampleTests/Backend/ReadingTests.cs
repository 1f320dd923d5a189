using Xunit;

namespace Backend.Tests;

public sealed class ReadingTests
{
    [Theory]
    [InlineData(0), InlineData(-1e13), InlineData(1e13)]
    public void A_power_within_the_limits_is_accepted(double watts) => new Reading(1, DateTimeOffset.UnixEpoch.AddYears(50), watts).FindFault().Should().BeNull();

    [Theory]
    [InlineData(1e18), InlineData(-2e13), InlineData(double.NaN), InlineData(double.PositiveInfinity)]
    public void A_power_that_no_plant_has_is_a_fault(double watts) =>
        new Reading(1, DateTimeOffset.UnixEpoch.AddYears(50), watts).FindFault().Should().StartWith("The power is ");
}
