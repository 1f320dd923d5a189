using System.Net;
using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load.Tests;

public sealed class RequestTableTests
{
    private static readonly LoadSettings Settings = new() { Server = new IPEndPoint(IPAddress.Loopback, 5683) };

    [Fact]
    public void A_request_over_UDP_has_its_message_ID_and_token()
    {
        using var cut = new RequestTable(Settings.ToShape(), 100);

        cut.Begin(5, 0, 0xABCD, 0, false);

        Convert.ToHexString(cut.Request(5)).Should().Be(
            "4801ABCD" +            // version 1, CON, a token of 8 bytes; GET
            "0000000000000085" +    // generation 1 above the seven bits of slot 5
            "B568656C6C6F");        // Uri-Path "hello"
    }

    [Fact]
    public void A_request_over_TCP_has_its_token_behind_the_length()
    {
        var settings = Settings with { IsTcp = true, Method = LoadSettings.Put, Payload = [.. Enumerable.Repeat((byte)'x', 20)] };
        using var cut = new RequestTable(settings.ToShape(), 2);

        cut.Begin(1, 0, 0, 0, false);

        Convert.ToHexString(cut.Request(1)).Should().Be(
            "D8" + "0E" + "03" +    // 27 bytes of options and payload, a token of 8 bytes; PUT
            "0000000000000003" + "B568656C6C6F" + "FF" + string.Concat(Enumerable.Repeat("78", 20)));
    }

    [Theory]
    [InlineData("a/b%2Fc?d=1&e", "B161" + "03622F63" + "43643D31" + "0165")]
    [InlineData("?q", "D10271")]
    [InlineData("fourteen-chars", "BD01" + "666F75727465656E2D6368617273")]
    public void Path_and_query_become_options(string path, string expected)
    {
        var shape = (Settings with { Path = path }).ToShape();

        Convert.ToHexString(shape.Bytes).Should().EndWith("0000000000000000" + expected);
    }

    [Theory]
    [InlineData(0, "10" + "50")]
    [InlineData(60, "113C" + "513C")]
    [InlineData(65_100, "12FE4C" + "52FE4C")]
    public void Formats_become_options_of_the_shortest_length(int format, string expected)
    {
        var shape = (Settings with { Path = "a", ContentFormat = (uint)format, Accept = (uint)format }).ToShape();

        Convert.ToHexString(shape.Bytes).Should().EndWith("0000000000000000" + "B161" + expected);
    }

    [Theory]
    [InlineData(268, "D8FF02")]
    [InlineData(269, "E8000002")]
    [InlineData(65_804, "E8FFFF02")]
    public void The_length_of_a_frame_is_extended(int length, string expected)
    {
        var shape = (Settings with { IsTcp = true, Method = LoadSettings.Post, Path = "", Payload = new byte[length - 1] }).ToShape();

        Convert.ToHexString(shape.Bytes).Should().StartWith(expected);
    }

    [Fact]
    public void Every_outstanding_request_is_found_by_its_token_and_by_its_message_ID()
    {
        const int Count = 1_000;
        using var cut = new RequestTable(Settings.ToShape(), Count);
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
        using var cut = new RequestTable(Settings.ToShape(), 1);

        cut.Begin(0, 0, 1, 0, false);

        cut.Match(0, cut.Request(0).Slice(4, 8)).Should().Be(-1);
    }
}
