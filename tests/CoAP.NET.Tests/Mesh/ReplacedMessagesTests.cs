using CoAP.TestSupport;

namespace CoAP.Tests.Mesh;

/// <summary>Stages of a package that replace messages or verify who has sent them.</summary>
public sealed class ReplacedMessagesTests : IDisposable
{
    private readonly Wire _wire = new(new ManualClock());
    private readonly ScriptedPeer _client;
    private LaneEnd? _server;
    private Resource _resource = null!;
    private int _calls;

    public ReplacedMessagesTests() => _client = ScriptedPeer.Client(_wire);

    public void Dispose()
    {
        _client.Dispose();
        _server?.Dispose();
    }

    [Theory]
    [InlineData(nameof(CoapMessage.Type))]
    [InlineData(nameof(CoapMessage.MessageId))]
    [InlineData(nameof(CoapMessage.Token))]
    [InlineData(nameof(CoapMessage.Code))]
    public void A_message_is_replaced_only_by_one_of_the_same_exchange(string difference)
    {
        ReceivedMessage received = default;
        OutgoingMessage sent = default;
        Serve(
            MeshLink.Filter(MeshArrow.MessagesIn, one => (received = one).Message is not null),
            MeshLink.Filter(MeshArrow.MessagesOut, one => (sent = one).Message is not null));
        _client.Send("CON [0x0001] GET /r (Token 0x01)");
        _wire.RunUntilIdle(TimeSpan.Zero);

        received.Invoking(one => one.With(Like(one.Message, difference))).Should().Throw<ArgumentException>();
        sent.Invoking(one => one.With(Like(one.Message, difference))).Should().Throw<ArgumentException>();
        received.Invoking(one => one.With(null!)).Should().Throw<ArgumentNullException>();
        default(OutgoingMessage).Invoking(one => one.With(sent.Message)).Should().Throw<InvalidOperationException>();
        received.With(Like(received.Message, null)).Message.Payload.Length.Should().Be(1);
    }

    [Fact]
    public void Credentials_that_a_stage_sets_reach_the_handler_for_observers_too()
    {
        var names = new List<string?>();
        Serve(MeshLink.Stages(lane => lane.Insert(MeshArrow.FramesIn, new Naming())), MeshLink.Filter(MeshArrow.HandlerRequests, Note),
            MeshLink.Filter(MeshArrow.ObserverRequests, Note));

        _client.Send("CON [0x0001] GET /r (Token 0x01) {Observe: 0}");
        _client.Expect("ACK [0x0001] 2.05 Content (Token 0x01) {Observe: 1, Content-Format: 0} '1'");
        _resource.NotifyChanged();
        _client.Expect("CON [X] 2.05 Content (Token 0x01) {Observe: 2, Content-Format: 0} '2'");

        names.Should().Equal("sensor-7", "sensor-7");

        bool Note(IncomingRequest request)
        {
            names.Add(request.Credentials?.PreSharedKeyIdentity);
            return true;
        }
    }

    private static CoapMessage Like(CoapMessage message, string? difference) => new()
    {
        Type = difference == nameof(CoapMessage.Type) ? MessageType.NonConfirmable : message.Type,
        MessageId = difference == nameof(CoapMessage.MessageId) ? new MessageId(7) : message.MessageId,
        Token = difference == nameof(CoapMessage.Token) ? new Token([7]) : message.Token,
        Code = difference != nameof(CoapMessage.Code) ? message.Code : message.Code.IsRequest ? ResponseCode.Content : RequestCode.Get,
        Payload = new byte[1],
    };

    private void Serve(params MeshLink[] links) => _server = LaneEnd.Server(
        _wire, map => _resource = map.At("r").Observable().Get(_ => Response.Content($"{++_calls}"), HandlerMode.Inline), new() { Links = links });

    private sealed class Naming : InlineStage<Frame, Frame>
    {
        protected override void Process(in Frame item) =>
            Out.Emit(item with { Credentials = new PeerCredentials { PreSharedKeyIdentity = "sensor-7" } });
    }
}
