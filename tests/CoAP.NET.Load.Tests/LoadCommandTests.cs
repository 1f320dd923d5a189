using CoAP.Reporting;

namespace CoAP.Load.Tests;

public class LoadCommandTests
{
    private const string Uri = "coap://127.0.0.1/hello";

    [Theory]
    [InlineData("", "A URI is missing; *")]
    [InlineData("coaps://127.0.0.1/hello", "A URI is missing; allowed are coap://*")]
    [InlineData(Uri + " --method delete", "--method is 'delete'; allowed is get or post or put.")]
    [InlineData(Uri + " --sockets 2.5", "--sockets is '2.5'; *")]
    [InlineData(Uri + " --rate 0", "--rate is '0'; *")]
    [InlineData("coap+tcp://127.0.0.1/hello --sockets 60000 --outstanding 1000", "60000 connections with 1000 requests each are more than 16777216.")]
    public void A_wrong_command_line_is_explained(string line, string expected)
    {
        var act = () => LoadCommand.Read(new Arguments(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)));

        act.Should().Throw<UsageException>().WithMessage(expected);
    }

    [Fact]
    public void Each_option_changes_its_own_setting()
    {
        const string Line = Uri + "?a=b --method put --payload 500 --non --sockets 3 --outstanding 7 --rate 1000.5 --patience 0.25";

        var settings = LoadCommand.Read(new Arguments(Line.Split(' ')));

        (settings.Method, settings.Payload.Length, settings.IsConfirmable, settings.Path).Should().Be((LoadSettings.Put, 500, false, "hello?a=b"));
        (settings.Sockets, settings.Outstanding, settings.Rate).Should().Be((3, 7, 1000.5));
        settings.Patience.Should().Be(TimeSpan.FromMilliseconds(250));
        settings.Server.ToString().Should().Be("127.0.0.1:5683");
    }
}
