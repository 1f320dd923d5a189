using CoAP.Options;
using CoAP.Serialization;
using CoAP.TestSupport;

namespace CoAP.Tests.Streams;

/// <summary>Messages of which only a part is there, and all of them together within the endpoint's limit.</summary>
public sealed class HalfReceivedTests
{
    private const int Size = 1_000_000;
    private const int Half = Size / 2;
    private static readonly string Answer = "ff" + Hex.Text("1000000"u8);

    private static readonly byte[] Message = new StreamSerializer(OptionRegistry.Default).Serialize(new CoapMessage
    {
        Code = RequestCode.Put,
        Token = new Token([1]),
        Options = [new UriPath("size")],
        Payload = new byte[Size],
    });

    [Fact]
    public async Task A_second_large_message_is_read_on_when_the_first_one_is_whole()
    {
        await using var host = Host();
        using var first = await host.OpenAsync();
        using var second = await host.OpenAsync();

        await first.SendAsync(Message.AsMemory(0, Half));
        var sending = second.SendAsync(Message.AsMemory());
        var isStuck = await IsHeldBackAsync(host, second);
        await first.SendAsync(Message.AsMemory(Half));

        isStuck.Should().BeTrue("there is room for one such message");
        (await first.ReadAsync()).Should().EndWith(Answer);
        (await second.ReadAsync()).Should().EndWith(Answer);
    }

    [Fact]
    public async Task A_peer_that_leaves_in_the_middle_makes_room_for_the_next_and_for_one_that_waits_no_more()
    {
        await using var host = Host();
        var first = await host.OpenAsync();
        var second = await host.OpenAsync();
        using var third = await host.OpenAsync();
        await first.SendAsync(Message.AsMemory(0, Half));
        _ = second.SendAsync(Message.AsMemory());
        (await IsHeldBackAsync(host, second)).Should().BeTrue();

        second.Dispose();
        first.Dispose();
        await third.SendAsync(Message.AsMemory());

        (await third.ReadAsync()).Should().EndWith(Answer);
    }

    [Fact]
    public async Task Small_messages_of_others_are_served_while_a_large_one_waits()
    {
        await using var host = Host();
        using var first = await host.OpenAsync();
        using var second = await host.OpenAsync();
        using var third = await host.OpenAsync();
        await first.SendAsync(Message.AsMemory(0, Half));
        var sending = second.SendAsync(Message.AsMemory());
        (await IsHeldBackAsync(host, second)).Should().BeTrue();

        third.Send("31 01 43 b2 6869");
        var answer = await third.ReadAsync();
        await first.SendAsync(Message.AsMemory(Half));
        await sending.WaitAsync(RawPeer.Patience);

        answer.Should().Be("414543c0ff6869");
    }

    [Fact]
    public async Task The_time_that_a_message_waits_for_room_is_not_the_peers()
    {
        var time = new ManualClock();
        await using var host = Host(time);
        using var first = await host.OpenAsync();
        using var second = await host.OpenAsync();
        await first.SendAsync(Message.AsMemory(0, Half));
        var sending = second.SendAsync(Message.AsMemory());
        (await IsHeldBackAsync(host, second)).Should().BeTrue();

        time.Advance(TimeSpan.FromSeconds(59));
        await first.SendAsync(Message.AsMemory(Half));
        await sending.WaitAsync(RawPeer.Patience);
        time.Advance(TimeSpan.FromSeconds(2));

        (await first.ReadAsync()).Should().EndWith(Answer);
        (await second.ReadAsync()).Should().EndWith(Answer);
        time.Advance(TimeSpan.FromSeconds(10));     // the patience of the end
    }

    private static StreamHost Host(TimeProvider? time = null) => new(settings => settings with
    {
        MaxInFlightSize = Size,
        TimeProvider = time ?? TimeProvider.System,
        Stream = new StreamSettings { MaxMessageSize = 1 << 20, AbortAboveSize = 1 << 20 },
    });

    // A lane that had room would have read the whole message in a quarter of these turns.
    private static async Task<bool> IsHeldBackAsync(StreamHost host, RawPeer peer)
    {
        await host.Server.TakeTurnsAsync(250);
        return peer.IsHeldBack;
    }
}
