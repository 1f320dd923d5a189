using CoAP.Load.Compare;
using CoAP.Measurements.Reporting;

namespace CoAP.Load.Tests;

public class CompareSettingsTests
{
    [Theory]
    [InlineData("--rounds 3", "'--rounds' is not known; *--repeats*")]
    [InlineData("--repeats 0", "--repeats is '0'; *")]
    [InlineData("--full --repeats", "--repeats has no value; *")]
    [InlineData("--only SCTP", "--only is 'SCTP'; allowed is UDP, TCP, *")]
    [InlineData("--servers coap.net,nginx", "--servers is 'coap.net,nginx'; allowed is coap.net, libcoap, *")]
    [InlineData("--sockets 16,60001", "--sockets is '16,60001'; *")]
    [InlineData("--outstanding 0", "--outstanding is '0'; *")]
    [InlineData("--seconds -1", "--seconds is '-1'; *")]
    [InlineData("--cpu 1024", "--cpu is '1024'; allowed is a whole number from 0 to 1,023.")]
    public void What_is_not_understood_is_said(string line, string expected)
    {
        var isRead = CompareSettings.TryParse(line.Split(' '), out _, out var error);

        isRead.Should().BeFalse();
        error.Should().Match(expected);
    }

    [Fact]
    public void In_full_many_sockets_have_64_outstanding_and_few_have_all()
    {
        var settings = Read("--full");

        settings.Cases.Should().Equal(
            new Case(IsTcp: false, 16, 1), new Case(IsTcp: false, 16, 16), new Case(IsTcp: false, 16, 64), new Case(IsTcp: false, 16, 256),
            new Case(IsTcp: false, 1_000, 64), new Case(IsTcp: false, 10_000, 64),
            new Case(IsTcp: true, 1, 64), new Case(IsTcp: true, 1_000, 1));
    }

    [Fact]
    public void In_full_rounds_are_longer_and_more()
    {
        var (usual, full) = (Read(""), Read("--full"));

        full.Form.Should().Be(RunForm.Full);
        full.Repeats.Should().BeGreaterThan(usual.Repeats);
        full.Measured.Should().BeGreaterThan(usual.Measured);
    }

    [Fact]
    public void Sockets_that_are_named_are_combined_with_each_number_outstanding()
    {
        var settings = Read("--full --sockets 16,1000 --outstanding 1,64 --only UDP");

        settings.Cases.Should().Equal(
            new Case(IsTcp: false, 16, 1), new Case(IsTcp: false, 16, 64), new Case(IsTcp: false, 1_000, 1), new Case(IsTcp: false, 1_000, 64));
    }

    [Theory]
    [InlineData("--repeats 4 --full")]
    [InlineData("--full --repeats 4")]
    public void What_is_said_beside_the_form_holds_wherever_it_stands(string line)
    {
        var settings = Read(line);

        (settings.Form, settings.Repeats).Should().Be((RunForm.Full, 4));
    }

    [Fact]
    public void Quick_is_one_case_over_UDP()
    {
        var settings = Read("--quick");

        settings.Cases.Should().Equal(new Case(IsTcp: false, 16, 64));
    }

    private static CompareSettings Read(string line)
    {
        var isRead = CompareSettings.TryParse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries), out var settings, out var error);
        isRead.Should().BeTrue(error);
        return settings!;
    }
}
