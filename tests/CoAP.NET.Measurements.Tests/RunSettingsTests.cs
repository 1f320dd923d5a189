using CoAP.Measurements.Reporting;

namespace CoAP.Measurements.Tests;

public class RunSettingsTests
{
    [Theory]
    [InlineData("", "A command is missing.")]
    [InlineData("drip --seed 1", "'--seed' is not known; *")]
    [InlineData("drip fast", "'fast' is not allowed; allowed is name=value.")]
    [InlineData("drip =fast", "'=fast' is not allowed; allowed is name=value.")]
    [InlineData("drip --repeats none", "--repeats is 'none'; *")]
    public void What_is_not_understood_is_said(string line, string expected)
    {
        var isRead = RunSettings.TryParse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries), out _, out var error);

        isRead.Should().BeFalse();
        error.Should().Match(expected);
    }

    [Fact]
    public void Values_parts_and_form_are_read()
    {
        var isRead = RunSettings.TryParse("handoff runs=3 path=a=b --only spin,udp --quick --repeats 4".Split(' '), out var settings, out var error);

        isRead.Should().BeTrue(error);
        settings!.Values.Should().Equal(new Dictionary<string, string> { ["runs"] = "3", ["path"] = "a=b" });
        (settings.Wants("udp"), settings.Wants("tcp")).Should().Be((true, false));
        (settings.Form, settings.Repeats, settings.Description).Should().Be((RunForm.Quick, 4, "--quick --repeats 4"));
    }

    [Fact]
    public void Without_parts_all_are_wanted()
    {
        var isRead = RunSettings.TryParse(["drip"], out var settings, out var error);

        isRead.Should().BeTrue(error);
        settings!.Wants("bodies").Should().BeTrue();
        settings.Description.Should().Be("usual form");
    }
}
