using System.Globalization;
using System.Text;
using CoAP.TestSupport;

namespace CoAP.Tests.Observing.Serving;

/// <summary>Every observer gets the latest state, however many register or leave while others are notified (RFC 7641, section 4.5).</summary>
public sealed class ObserversThatComeAndGoTests : IDisposable
{
    private const int Seed = 7641;
    private const int Confirmable = 0;

    private readonly Wire _wire = new(new ManualClock());
    private readonly Random _random = new(Seed);
    private readonly List<ScriptedPeer> _clients = [];      // the token is the index
    private readonly HashSet<int> _observers = [];
    private readonly LaneEnd _server;
    private Resource _resource = null!;
    private int _state;
    private int _lastId;

    public ObserversThatComeAndGoTests() =>
        _server = LaneEnd.Server(_wire, map => _resource = map.At("r").Observable(confirmable: false).Get(
            _ => Response.Content(_state.ToString(CultureInfo.InvariantCulture)), HandlerMode.Inline));

    public void Dispose()
    {
        _clients.ForEach(static client => client.Dispose());
        _server.Dispose();
    }

    [Theory, Trait("RFC", "7641 4.5")]
    [InlineData(10, 8, 8)]
    [InlineData(600, 8, 8)]
    [InlineData(200, 200, 0)]
    public void All_get_the_latest_state(int many, int joining, int leaving)
    {
        for (var one = 0; one < many; one++) { Register(); }
        for (var change = 0; change < 12; change++)
        {
            _state++;
            _resource.NotifyChanged();
            for (var turn = _random.Next(4); turn > 0; turn--)
            {
                _server.Lane.Turn();
                for (var one = _random.Next(joining); one > 0; one--) { Register(); }
                for (var one = _random.Next(leaving); one > 0; one--) { Leave(); }
            }
            if (change % 3 == 0) { CheckAll(); }
        }
        CheckAll();
    }

    private void CheckAll()
    {
        // Clients get one notification in 3 s (RFC 7641, section 4.5.1).
        while (_observers.Select(client => Acknowledge(_clients[client])).ToList().Any(static isNew => isNew)) { _wire.RunFor(TimeSpan.FromSeconds(5)); }

        _resource.ObserverCount.Should().Be(_observers.Count);
        var current = _state.ToString(CultureInfo.InvariantCulture);
        _observers.Where(client => LastOf(_clients[client]) != current).Should().BeEmpty($"all observe {current} (seed {Seed})");
    }

    private static string LastOf(ScriptedPeer client) => Encoding.UTF8.GetString(WireMessage.Read(client.Received[^1]).Payload);

    // The first notification is confirmable (RFC 7641, section 4.5), and the next one waits for its acknowledgement.
    private static bool Acknowledge(ScriptedPeer client)
    {
        var seen = client.Received.Count;
        client.TakeAll(seconds: 0);
        foreach (var message in client.Received.Skip(seen).Select(WireMessage.Read).Where(static message => message.Type == Confirmable))
        {
            client.Send($"ACK [0x{message.Id:x4}]");
        }
        return client.Received.Count > seen;
    }

    private void Register()
    {
        _observers.Add(_clients.Count);
        _clients.Add(ScriptedPeer.Client(_wire, $"client{_clients.Count}"));
        Send(_clients.Count - 1, observe: 0);
    }

    private void Leave()
    {
        if (_observers.Count == 0) { return; }
        var client = _observers.ElementAt(_random.Next(_observers.Count));
        _observers.Remove(client);
        Send(client, observe: 1);
    }

    private void Send(int client, int observe) =>
        _clients[client].Send($"NON [0x{++_lastId:x4}] GET /r (Token 0x{client:x4}) {{Observe: {observe}}}");
}
