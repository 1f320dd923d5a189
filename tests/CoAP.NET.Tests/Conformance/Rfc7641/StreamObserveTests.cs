using CoAP.Testing;
using CoAP.Tests.Streams;

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

    // Len, TKL 1, 2.05, token 7a, an empty Observe, Content-Format 0, one letter
    private const string Notification = "41457a6060ff";

    private readonly StreamHost _host = new();
    private readonly Resource _resource;
    private volatile CoapResponse _state = Response.Content("a");

    public StreamObserveTests() =>
        _resource = _host.Server.Resources.At("t").Observable().Get((_, _) => new(_state));

    public ValueTask DisposeAsync() => _host.DisposeAsync();

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
    public async Task Notifications_have_an_empty_Observe_option_until_Observe_1_ends_them()
    {
        using var peer = await _host.OpenAsync();

        peer.Send(Register);
        (await peer.ReadAsync()).Should().Be(Notification + "61");
        Change("b");
        (await peer.ReadAsync()).Should().Be(Notification + "62");
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
            (await one.ReadAsync()).Should().Be(Notification + "61");
        }

        peer.Dispose();
        for (var next = 'b'; _resource.ObserverCount > 1 && next < 'z'; next++)
        {
            Change($"{next}");
            (await other.ReadAsync()).Should().StartWith(Notification);
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
