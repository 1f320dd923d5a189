using CoAP.Reporting;

namespace CoAP.Load.Tests;

public class CompareSettingsTests
{
    [Theory]
    [InlineData("--rounds 3", "'--rounds' is not known here, *--repeats*")]
    [InlineData("--full --repeats", "--repeats has no value; *")]
    [InlineData("--over SCTP", "--over is 'SCTP'; allowed is UDP, TCP, *")]
    [InlineData("--servers coap.net,nginx", "--servers is 'coap.net,nginx'; allowed is coap.net, libcoap, *")]
    [InlineData("--sockets 16,60001", "--sockets is '16,60001'; *")]
    [InlineData("--seconds -1", "--seconds is '-1'; *")]
    public void A_wrong_command_line_is_explained(string line, string expected)
    {
        var act = () => Read(line);

        act.Should().Throw<UsageException>().WithMessage(expected);
    }

    [Fact]
    public void The_full_form_has_64_outstanding_over_many_sockets_and_all_numbers_over_few()
    {
        var settings = Read("--full");

        settings.Cases.Should().Equal(
            new Case(IsTcp: false, 16, 1), new Case(IsTcp: false, 16, 16), new Case(IsTcp: false, 16, 64), new Case(IsTcp: false, 16, 256),
            new Case(IsTcp: false, 1_000, 64), new Case(IsTcp: false, 10_000, 64),
            new Case(IsTcp: true, 1, 64), new Case(IsTcp: true, 1_000, 1));
    }

    [Fact]
    public void The_full_form_has_longer_and_more_rounds()
    {
        var (usual, full) = (Read(""), Read("--full"));

        full.Rounds.Should().BeGreaterThan(usual.Rounds);
        full.Measured.Should().BeGreaterThan(usual.Measured);
    }

    [Fact]
    public void Sockets_that_are_named_are_combined_with_each_number_outstanding()
    {
        var settings = Read("--full --sockets 16,1000 --outstanding 1,64 --over UDP");

        settings.Cases.Should().Equal(
            new Case(IsTcp: false, 16, 1), new Case(IsTcp: false, 16, 64), new Case(IsTcp: false, 1_000, 1), new Case(IsTcp: false, 1_000, 64));
    }

    [Theory]
    [InlineData("--repeats 4 --full")]
    [InlineData("--full --repeats 4")]
    public void Options_beside_the_form_hold_wherever_they_stand(string line)
    {
        var settings = Read(line);

        (settings.Run.Form, settings.Rounds).Should().Be((RunForm.Full, 4));
    }

    [Fact]
    public void The_quick_form_is_one_case_over_UDP() => Read("--quick").Cases.Should().Equal(new Case(IsTcp: false, 16, 64));

    private static CompareSettings Read(string line) => CompareSettings.Read(new Arguments(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)));
}
