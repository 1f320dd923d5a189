using CoAP.Tests.Streams;
using CoAP.TestSupport;

namespace CoAP.Tests.Siege;

/// <summary>The bytes that may wait for a peer that does not take them.</summary>
public sealed class UnsentAnswersTests
{
    [Theory]
    [InlineData(20_000)]
    [InlineData(200_000)]
    public async Task Above_the_limit_no_further_request_is_read_until_the_peer_takes_what_waits(int limit)
    {
        const int Size = 10_000;
        var asked = 0;
        await using var host = new StreamHost(settings => settings with { Stream = new StreamSettings { MaxUnreadSize = limit } });
        host.Server.Resources.At("count").Get((_, _) =>
        {
            Interlocked.Increment(ref asked);
            return new(Response.Content(new byte[Size], ContentFormats.OctetStream));
        });
        using var peer = await host.OpenAsync();

        await peer.SendAsync(Hex.Bytes("30 e1 22 ff ff" + string.Concat(Enumerable.Repeat("60 01 b5 636f756e74", 200))));
        await peer.SendAsync(Hex.Bytes("01 e2 42"));
        using var other = await host.OpenAsync();
        other.Send("01 e2 43");
        await other.ReadAsync();
        var askedAtFirst = Volatile.Read(ref asked);
        var answers = await peer.ReadAsync(201);

        // The pipe holds some; of what is beyond it, one message may go past the limit.
        askedAtFirst.Should().BeLessThan(200);
        answers.Should().Contain("01e342");
        asked.Should().Be(200);
    }
}
