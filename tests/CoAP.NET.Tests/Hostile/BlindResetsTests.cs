using CoAP.TestSupport;

namespace CoAP.Tests.Hostile;

/// <summary>Resets with guessed message IDs, sent from the address of an honest observer.</summary>
public sealed class BlindResetsTests : IDisposable
{
    private const int FirstId = 30_000;
    private const int Batch = 256;

    private readonly Wire _wire = new(new ManualClock());
    private readonly LaneEnd _server;
    private readonly ScriptedPeer _client;
    private Resource _state = null!;

    public BlindResetsTests()
    {
        _server = LaneEnd.Server(_wire, map => _state = map.At("state").Observable().Get(_ => Response.Content("a"), HandlerMode.Inline));
        _client = ScriptedPeer.Client(_wire);
        _server.Lane.MessageIds.Put(_server.Lane.HashOf(new ChannelKey(_client.Self, _wire.Server)), new MessageId(FirstId));
        _client.Send("CON [0x0001] GET /state (Token 0x01) {Observe: 0}");
        _client.TakeAll(seconds: 0);
        _state.NotifyChanged();
        _client.Expect($"CON [0x{FirstId:x4}] 2.05 Content (Token 0x01) {{Observe: 2, Content-Format: 0}} 'a'");
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    [Fact, Trait("RFC", "7641 3.6")]
    public void All_message_IDs_together_end_no_observation()
    {
        for (var id = 0; id <= ushort.MaxValue; id++)
        {
            Reset(id);
            if (id % Batch == 0) { _client.TakeAll(seconds: 0); }
        }
        _client.TakeAll(seconds: 0);

        _state.ObserverCount.Should().Be(1);
    }

    [Fact, Trait("RFC", "7641 3.6")]
    public void A_Reset_ends_the_observation_after_a_few_late_ones_and_after_a_pause()
    {
        for (var id = 0; id < 15; id++) { Reset(id); }
        _client.TakeAll(seconds: 0);
        Reset(FirstId);
        _client.TakeAll(seconds: 0);
        _state.ObserverCount.Should().Be(0);

        _client.Send("CON [0x0002] GET /state (Token 0x02) {Observe: 0}");
        _client.TakeAll(seconds: 0);
        _state.NotifyChanged();
        _client.TakeAll(seconds: 0);
        for (var id = 0; id < 16; id++) { Reset(id); }
        Reset(FirstId + 1);
        _client.TakeAll(seconds: 0);
        _state.ObserverCount.Should().Be(1);

        _client.TakeAll(seconds: 30);
        Reset(FirstId + 1);
        _client.TakeAll(seconds: 0);
        _state.ObserverCount.Should().Be(0);
    }

    // Each further message ID would be another one to guess.
    [Fact, Trait("RFC", "7641 3.6")]
    public void A_late_Reset_counts_for_the_last_two_notifications()
    {
        for (var id = FirstId; id < FirstId + 4; id++)
        {
            _client.Send($"ACK [0x{id:x4}]");
            _client.TakeAll(seconds: 0);
            if (id == FirstId + 3) { break; }
            _state.NotifyChanged();
            _client.TakeAll(seconds: 0);
        }

        Reset(FirstId);
        Reset(FirstId + 1);
        _client.TakeAll(seconds: 0);
        _state.ObserverCount.Should().Be(1);
        Reset(FirstId + 2);
        _client.TakeAll(seconds: 0);
        _state.ObserverCount.Should().Be(0);
    }

    private void Reset(int id) => _client.Send([0x70, 0, (byte)(id >> 8), (byte)id]);
}
