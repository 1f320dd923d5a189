using CoAP.TestSupport;

namespace CoAP.Tests.Streams;

/// <summary>What breaks the rules of a connection, and what is too much for it.</summary>
public sealed class StreamRefusalTests : IAsyncDisposable
{
    private readonly StreamHost _host = new(settings => settings with { Stream = new StreamSettings { MaxMessageSize = 1000, AbortAboveSize = 5000 } });

    public ValueTask DisposeAsync() => _host.DisposeAsync();

    [Theory]
    [Trait("RFC", "8323 5.6")]
    [InlineData("0f", "a token length of 15 is reserved")]
    [InlineData("11 01 01 f1", "an option delta of 15 is reserved")]
    [InlineData("00 20", "its code class is reserved")]
    [InlineData("01 00 01", "an Empty message has no token")]
    [InlineData("e0 ff ff 01", "it is larger than the second limit")]
    [InlineData("09 01 010203040506070809", "its token has nine bytes, where eight are taken")]
    [Trait("RFC", "8974 2.2.1")]
    public async Task Garbage_is_answered_with_an_abort_that_says_why_and_ends_the_connection(string bytes, string why)
    {
        using var peer = await _host.OpenAsync();

        peer.Send(bytes);
        var abort = await peer.ReadAsync();
        var end = await peer.ReadAsync();

        CodeOf(abort).Should().Be(SignalCode.Abort, why);
        Hex.Bytes(abort!).Length.Should().BeGreaterThan(10, "a diagnostic payload SHOULD be included");
        end.Should().BeNull();
    }

    [Theory]
    [Trait("RFC", "8323 5.2")]
    [InlineData("11 e2 01 10")]                 // Ping with critical option 1
    [InlineData("10 e4 50")]                    // Release with critical option 5
    [InlineData("10 e9 10")]                    // unassigned signal with critical option 1
    public async Task An_unknown_critical_option_in_a_signal_aborts(string signal)
    {
        using var peer = await _host.OpenAsync();

        peer.Send(signal);

        CodeOf(await peer.ReadAsync()).Should().Be(SignalCode.Abort);
        (await peer.ReadAsync()).Should().BeNull();
    }

    [Fact]
    [Trait("RFC", "8323 5.6")]
    public async Task An_unknown_critical_option_in_a_CSM_is_named_by_the_abort()
    {
        using var peer = await _host.OpenAsync();

        peer.Send("10 e1 30");

        (await peer.ReadAsync()).Should().Contain("e52103", "Bad-CSM-Option (2) is 3");
    }

    [Fact]
    [Trait("RFC", "8323 5.3")]
    public async Task Anything_but_a_CSM_as_the_first_message_aborts()
    {
        using var peer = RawPeer.Connect(_host.Network, StreamHost.Name);
        await peer.ReadAsync();

        peer.Send("31 01 7a b2 68 69");

        CodeOf(await peer.ReadAsync()).Should().Be(SignalCode.Abort);
    }

    [Fact]
    [Trait("RFC", "8323 5.3")]
    public async Task A_second_CSM_changes_what_it_carries_and_nothing_is_answered()
    {
        using var peer = await _host.OpenAsync();

        peer.Send("20 e1 21 40  01 e2 42");                                 // Max-Message-Size 64, Ping
        peer.Send("c1 01 01 b5 6c61726765 45 6e3d313030");                  // GET large?n=100
        var answers = await peer.ReadAsync(2);

        answers[0].Should().Be("01e342");
        Convert.FromHexString(answers[1]!).Length.Should().BeLessThanOrEqualTo(64);      // 100 bytes do not fit any more, so a block is sent
        answers[1]![4..6].Should().Be("45");
    }

    [Fact]
    [Trait("RFC", "7252 5.9.2.9")]
    public async Task A_request_that_is_too_large_gets_4_13_with_the_limit_and_the_next_message_is_understood()
    {
        using var peer = await _host.OpenAsync();
        byte[] request = [.. Hex.Bytes("e1 0753 03 aa b4 73697a65 ff"), .. new byte[2144 - 6]];

        await peer.SendAsync(request);
        peer.Send("31 01 7a b2 68 69");

        var answers = await peer.ReadAsync(2);
        answers.Should().Equal("418daad22f03e8",   // Len 4, Size1 (13 + 47) of two bytes: 1,000
            "41457ac0ff6869");
    }

    [Fact]
    public async Task A_large_message_arrives_whole_however_it_is_torn()
    {
        using var peer = await _host.OpenAsync();
        byte[] request = [.. Hex.Bytes("e1 0299 03 bb b4 73697a65 ff"), .. new byte[934 - 6]];

        for (var at = 0; at < request.Length; at += 7) { await peer.SendAsync(request.AsMemory(at, Math.Min(7, request.Length - at))); }

        (await peer.ReadAsync()).Should().EndWith(Hex.Text("928"u8));
    }

    private static CoapCode CodeOf(string? message)
    {
        var bytes = Hex.Bytes(message!);
        return new CoapCode(bytes[1 + (bytes[0] >> 4) switch { 13 => 1, 14 => 2, _ => 0 }]);
    }
}
