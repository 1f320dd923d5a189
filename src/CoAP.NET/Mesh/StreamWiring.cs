using System.Threading.Tasks.Dataflow;
using CoAP.Blocks;
using CoAP.Blockwise;
using CoAP.Exchanges;
using CoAP.Freshness;
using CoAP.Observing;
using CoAP.Options;
using CoAP.Resources;
using CoAP.Serialization;
using CoAP.Streams;
using static CoAP.Mesh.Arrows;

namespace CoAP.Mesh;

/// <summary>The stages of a lane of connections and every link between them; <see cref="LaneWiring"/> is that of datagrams.</summary>
internal static class StreamWiring
{
    /// <summary>RFC 8323: the messages of connections in and out. No duplicates, no acknowledgements; signals instead.</summary>
    public static void Wire(StreamLane lane, HandlerPipeline pipeline, StreamSerializer serializer, OptionRegistry understood)
    {
        var admit = new AdmissionStage(lane);
        var deserialize = new DeserializerStage(lane, serializer);
        var deserializeSignal = new DeserializerStage(lane, serializer);
        var signal = new SinkStage<ReceivedMessage>(static (in item) => item.Frame.Stream!.OnSignal(item.Message));
        var match = new StreamMatchingStage(lane, understood);
        var guard = new OptionGuard(lane, understood);
        var freshen = new FreshnessStage(lane, pipeline);
        var bodies = new LaneBodies(lane);
        var bodiesIn = new BodiesIn(lane, pipeline, bodies);
        var observers = new ObserverRegistry(lane, pipeline);
        var observe = new ObserveStage(observers, pipeline);
        var handle = new RequestHandler(lane, pipeline);
        var notify = new NotifyStage(observers);
        var bodiesOut = new BodiesOut(lane, pipeline, bodies);
        var suppress = new NoResponseStage(lane);
        var respond = new ResponseHandler(lane);
        var serialize = new SerializerStage(lane, serializer, deduplication: null);
        var transmit = new SinkStage<Frame>(static (in frame) => frame.Stream!.Transmit(frame));

        // transport ──► channel ──► deserializer ──► handlers ──► resources
        From(lane.Incoming, MeshArrow.FramesIn, lane).LinkTo(admit);
        admit.LinkTo(deserialize);
        From(deserialize, MeshArrow.MessagesIn, lane).LinkTo(match);
        match.LinkTo(guard);
        guard.LinkTo(freshen);
        freshen.LinkTo(bodiesIn);
        From(bodiesIn, MeshArrow.Requests, lane).LinkTo(observe);
        observe.LinkTo(handle);
        From(match.Stateless, MeshArrow.StatelessResponses, lane).LinkTo(DataflowBlock.NullTarget<StatelessResponse>());

        // transport ──► channel ──► deserializer ──► channel
        lane.Signals.LinkTo(deserializeSignal);
        deserializeSignal.LinkTo(signal);

        // transport ◄── channel ◄── serializer ◄── handlers ◄── resources
        From(handle, MeshArrow.Answers, lane).LinkTo(notify);
        Into(bodiesOut, notify, bodiesIn.Streamed);
        Into(suppress, bodiesOut, bodiesIn.Answers, freshen.Answers, guard.Answers);
        suppress.LinkTo(respond);
        From(Both(respond, lane.Outgoing), MeshArrow.MessagesOut, lane).LinkTo(serialize);
        From(serialize, MeshArrow.FramesOut, lane).LinkTo(transmit);
    }
}
