using CoAP.Tests.Streams;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Observing over connections (RFC 8323, section 7), against the bytes on the wire.</summary>
public sealed class StreamObserveTests : IAsyncDisposable
{
    private const string Register = """
        31 01 7a        # Len 3, TKL 1, GET, token 7a
        60              # Observe 0
        51 74           # Uri-Path "t"
        """;

    private const string Deregister = """
        41 01 7a        # Len 4, TKL 1, GET, token 7a
        61 01           # Observe 1
        51 74           # Uri-Path "t"
        """;

    private readonly ManualClock _time = new();
    private readonly StreamHost _host;
    private readonly Resource _resource;
    private volatile CoapResponse _state = Response.Content("a");

    public StreamObserveTests()
    {
        _host = new(settings => settings with { TimeProvider = _time, Stream = new StreamSettings { IdleTimeout = TimeSpan.FromMinutes(1), PingInterval = TimeSpan.FromHours(1) } });
        _resource = _host.Server.Resources.At("t").Observable(keepsFresh: false).Get((_, _) => new(_state));
    }

    public async ValueTask DisposeAsync() => await _time.PassAsync(_host.DisposeAsync().AsTask());

    // Client              Server
    //    | GET, Observe 0     |
    //    +------------------->|
    //    | 2.05 'a', Observe  |
    //    |<-------------------+
    //    | 2.05 'b', Observe  |
    //    |<-------------------+
    //    | GET, Observe 1     |
    //    +------------------->|
    //    | 2.05 'b'           |
    //    |<-------------------+
    [Fact, Trait("RFC", "8323 7.1"), Trait("RFC", "8323 7.4"), Trait("RFC", "7641 4.1")]
    public async Task Notifications_have_rising_numbers_until_Observe_1_ends_them()
    {
        using var peer = await _host.OpenAsync();

        peer.Send(Register);
        (await peer.ReadAsync()).Should().Be(Notification(1, 'a'));
        Change("b");
        (await peer.ReadAsync()).Should().Be(Notification(2, 'b'));
        peer.Send(Deregister);
        (await peer.ReadAsync()).Should().Be("31457ac0ff62", "the answer is one to an ordinary GET");

        Change("c");
        peer.Send("01 e2 42");
        (await peer.ReadAsync()).Should().Be("01e342", "nothing stands between");
        _resource.ObserverCount.Should().Be(0);
    }

    [Fact, Trait("RFC", "8323 7.4")]
    public async Task The_end_of_the_connection_ends_all_its_observations()
    {
        var peer = await _host.OpenAsync();
        using var other = await _host.OpenAsync();
        foreach (var one in new[] { peer, other })
        {
            one.Send(Register);
            (await one.ReadAsync()).Should().Be(Notification(1, 'a'));
        }

        peer.Dispose();
        for (var number = 2; _resource.ObserverCount > 1 && number < 26; number++)
        {
            Change($"{(char)('a' + number)}");
            (await other.ReadAsync()).Should().Be(Notification(number, (char)('a' + number)));
        }

        _resource.ObserverCount.Should().Be(1);
    }

    [Fact, Trait("RFC", "7641 4.2")]
    public async Task An_error_is_the_last_notification()
    {
        using var peer = await _host.OpenAsync();
        peer.Send(Register);
        await peer.ReadAsync();

        _host.Server.Resources.Remove("t");

        (await peer.ReadAsync()).Should().Be("01847a", "4.04 without an Observe option");
        _resource.ObserverCount.Should().Be(0);
    }

    [Fact, Trait("RFC", "7641 1.3")]
    public async Task A_peer_that_takes_nothing_gets_the_newest_state_when_it_does()
    {
        using var peer = await _host.OpenAsync();
        peer.Send(Register);
        await peer.ReadAsync();
        var changes = 0;
        while (changes < 2000)
        {
            Change(new string((char)('a' + (changes++ % 26)), 1000));
            if (changes % 100 == 0) { await Answered(); }
        }
        Change("the last one");

        var (count, last) = (0, "");
        while (!last.EndsWith(Hex.Text("the last one"u8), StringComparison.Ordinal))
        {
            last = (await peer.ReadAsync())!;
            count++;
        }
        count.Should().BeLessThan(changes, "what the peer had no room for was replaced by what is newer");
    }

    // Other libraries drop notifications whose number does not rise, even on connections.
    [Fact, Trait("RFC", "8323 7.1"), Trait("RFC", "7641 3.4")]
    public async Task A_client_that_compares_numbers_takes_every_notification()
    {
        using var peer = await _host.OpenAsync();
        peer.Send(Register);
        var newest = NumberOf((await peer.ReadAsync())!);
        for (var change = 0; change < 300; change++)
        {
            Change($"{(char)('a' + (change % 26))}");
            var number = NumberOf((await peer.ReadAsync())!);
            ((newest < number && number - newest < 1 << 23) || (newest > number && newest - number > 1 << 23)).Should().BeTrue("{0} follows {1}", number, newest);
            newest = number;
        }
    }

    [Fact, Trait("RFC", "8323 7.4"), Trait("RFC", "8323 5.5")]
    public async Task A_quiet_connection_with_an_observation_is_not_released()
    {
        using var peer = await _host.OpenAsync();
        peer.Send(Register);
        (await peer.ReadAsync()).Should().Be(Notification(1, 'a'));

        await _time.PassAsync(new TaskCompletionSource().Task, most: TimeSpan.FromMinutes(3));
        Change("b");

        (await peer.ReadAsync()).Should().Be(Notification(2, 'b'));
        peer.Send(Deregister);
        await peer.ReadAsync();
        (await _time.PassAsync(peer.ReadAsync())).Should().Be("00e4", "without observations the connection is idle");
    }

    // Len, TKL 1, 2.05, token 7a, Observe, Content-Format 0, one letter
    private static string Notification(int number, char text) => $"51457a61{number:x2}60ff{(int)text:x2}";

    private static int NumberOf(string notification)
    {
        var bytes = Convert.FromHexString(notification);
        var length = bytes[3] & 15;
        (bytes[1], bytes[3] >> 4).Should().Be((0x45, 6), "it is a 2.05 whose first option is Observe");
        return bytes[4..(4 + length)].Aggregate(0, static (number, next) => (number << 8) | next);
    }

    // A round trip on another connection: the lanes have had time to work.
    private async Task Answered()
    {
        using var other = await _host.OpenAsync();
        other.Send("31 01 7a b2 68 69");
        await other.ReadAsync();
    }

    private void Change(string text)
    {
        _state = Response.Content(text);
        _resource.NotifyChanged();
    }
}
