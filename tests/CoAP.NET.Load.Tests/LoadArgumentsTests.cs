using CoAP.Load.Front;

namespace CoAP.Load.Tests;

public class LoadArgumentsTests
{
    private const string Uri = "coap://127.0.0.1/hello";

    [Theory]
    [InlineData("", "A URI is missing.")]
    [InlineData("coaps://127.0.0.1/hello", "Load over coaps cannot be made; *")]
    [InlineData(Uri + " --method delete", "--method is 'delete'; allowed is get or put or post.")]
    [InlineData(Uri + " --token-length 9", "--token-length is '9'; allowed is a whole number from 1 to 8.")]
    [InlineData(Uri + " --sockets 2.5", "--sockets is '2.5'; *")]
    [InlineData(Uri + " --rate 0", "--rate is '0'; *")]
    [InlineData(Uri + " --json", "--json has no value; *")]
    [InlineData(Uri + " --quick", "'--quick' is not known; *")]
    [InlineData("coap+tcp://127.0.0.1/hello --sockets 60000 --outstanding 1000", "60000 connections with 1000 requests each are more than 16777216.")]
    public void What_is_not_understood_is_said(string line, string expected)
    {
        var isRead = LoadArguments.TryParse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries), out _, out var error);

        isRead.Should().BeFalse();
        error.Should().Match(expected);
    }

    [Fact]
    public void Each_word_changes_its_own_setting()
    {
        const string Line = Uri + " --method put --payload 500 --non --sockets 3 --outstanding 7 --rate 1000.5 --retransmit 250 --cpu 1 --csv -";

        var isRead = LoadArguments.TryParse(Line.Split(' '), out var arguments, out var error);

        isRead.Should().BeTrue(error);
        var settings = arguments!.Settings;
        (settings.Method, settings.PayloadLength, settings.IsConfirmable).Should().Be((RequestCode.Put, 500, false));
        (settings.Sockets, settings.Outstanding, settings.Rate).Should().Be((3, 7, 1000.5));
        settings.RetransmitAfter.Should().Be(TimeSpan.FromMilliseconds(250));
        (arguments.Processor, arguments.CsvFile, arguments.JsonFile).Should().Be((1, "-", null));
    }
}
