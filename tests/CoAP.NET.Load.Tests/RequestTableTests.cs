using System.Net;

namespace CoAP.Load.Tests;

public sealed class RequestTableTests
{
    private static readonly LoadSettings Settings = new()
    {
        Server = new IPEndPoint(IPAddress.Loopback, 5683),
        Options = CoapUri.Parse("coap://127.0.0.1/hello").ToPathOptions(),
    };

    [Fact]
    [Trait("RFC", "7252 3")]
    public void A_request_over_UDP_has_its_message_ID_and_token()
    {
        using var cut = new RequestTable(new RequestShape(Settings with { TokenLength = 4 }), 100);

        cut.Begin(5, 0, 0xABCD, 0, false);

        Convert.ToHexString(cut.Request(5)).Should().Be(
            "4401ABCD" +            // version 1, CON, a token of 4 bytes; GET
            "00000085" +            // generation 1 above the seven bits of slot 5
            "B568656C6C6F");        // Uri-Path "hello"
    }

    [Fact]
    [Trait("RFC", "8323 3.2")]
    public void A_request_over_TCP_has_its_token_behind_the_length()
    {
        var settings = Settings with { IsTcp = true, Method = RequestCode.Put, PayloadLength = 20, TokenLength = 1 };
        using var cut = new RequestTable(new RequestShape(settings), 2);

        cut.Begin(1, 0, 0, 0, false);

        Convert.ToHexString(cut.Request(1)).Should().Be("D1" + "0E" + "03" + "03" + "B568656C6C6F" + "FF" + string.Concat(Enumerable.Repeat("78", 20)));
    }

    [Fact]
    public void Every_outstanding_request_is_found_by_its_token_and_by_its_message_ID()
    {
        const int Count = 1_000;
        using var cut = new RequestTable(new RequestShape(Settings), Count);
        for (var slot = 0; slot < Count; slot++)
        {
            cut.Begin(slot, slot % 7, (ushort)(slot * 64), 0, false);
            cut[slot].SentAt = 1;
        }

        for (var slot = 0; slot < Count; slot++)
        {
            cut.Match(slot % 7, cut.Request(slot).Slice(4, 8)).Should().Be(slot);
            cut.FindMessageId(slot % 7, (ushort)(slot * 64)).Should().Be(slot);
        }
    }

    [Fact]
    public void A_request_that_was_not_sent_matches_nothing()
    {
        using var cut = new RequestTable(new RequestShape(Settings), 1);

        cut.Begin(0, 0, 1, 0, false);

        cut.Match(0, cut.Request(0).Slice(4, 8)).Should().Be(-1);
    }

    [Fact]
    public void A_token_too_short_to_tell_the_requests_apart_is_refused()
    {
        var act = () => new RequestTable(new RequestShape(Settings with { TokenLength = 1 }), 65);

        act.Should().Throw<ArgumentException>();
    }
}
