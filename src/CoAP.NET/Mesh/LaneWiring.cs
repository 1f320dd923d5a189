using System.Threading.Tasks.Dataflow;
using CoAP.Blocks;
using CoAP.Blockwise;
using CoAP.Datagrams;
using CoAP.Exchanges;
using CoAP.Freshness;
using CoAP.Groups;
using CoAP.Observing;
using CoAP.Resources;
using CoAP.Robust;
using CoAP.Serialization;
using static CoAP.Mesh.Arrows;

namespace CoAP.Mesh;

/// <summary>The stages of a datagram lane and every link between them, on one screen. <c>docs/architecture.md</c> shows it as a picture.</summary>
/// <remarks>Connections have <see cref="StreamWiring"/>: fewer stages, the same classes.</remarks>
internal static class LaneWiring
{
    /// <summary>RFC 7252: datagrams in, datagrams out.</summary>
    public static void Wire(DatagramLane lane, HandlerPipeline pipeline)
    {
        if (pipeline.HasResources) { lane.Addresses = new AddressVerification(lane); }
        var serializer = new DatagramSerializer(lane.Settings.Options);
        var understood = UnderstoodOptions.OfDatagrams(lane.Settings);

        var admit = new AdmissionStage(lane);
        var deserialize = new DeserializerStage(lane, serializer);
        var deduplicate = new DeduplicationStage(lane, lane.Deduplication);
        var match = new MatchingStage(lane, understood, lane.Deduplication);
        var guard = new OptionGuard(lane, understood, lane);
        var freshen = new FreshnessStage(lane, pipeline);
        var bodies = new LaneBodies(lane);
        var robust = new LaneRobust(lane, bodies);
        var robustIn = new RobustIn(lane, pipeline, robust, lane.Deduplication);
        var bodiesIn = new BodiesIn(lane, pipeline, bodies);
        var observers = lane.Observers = new ObserverRegistry(lane, pipeline);
        var observe = new ObserveStage(observers, pipeline);
        var handle = new RequestHandler(lane, pipeline);
        var notify = new NotifyStage(observers);
        var robustOut = new RobustOut(lane, robust);
        var bodiesOut = new BodiesOut(lane, pipeline, bodies);
        var suppress = new NoResponseStage(lane, lane.Deduplication);
        var limit = new AmplificationStage(lane, pipeline);
        var respond = new ResponseHandler(lane);
        var serialize = new SerializerStage(lane, serializer, lane.Deduplication);
        var transmit = new SinkStage<Frame>(lane.Transmit);

        // transport ──► channel ──► deserializer ──► handlers ──► resources
        From(lane.Incoming, MeshArrow.FramesIn, lane).LinkTo(admit);
        admit.LinkTo(deserialize);
        From(deserialize, MeshArrow.MessagesIn, lane).LinkTo(deduplicate);
        lane.HandedOver.LinkTo(deduplicate);
        deduplicate.LinkTo(match);
        match.LinkTo(guard);
        guard.LinkTo(freshen);
        freshen.LinkTo(robustIn);
        robustIn.LinkTo(bodiesIn);
        From(bodiesIn, MeshArrow.Requests, lane).LinkTo(observe);
        observe.LinkTo(handle);
        From(match.Stateless, MeshArrow.StatelessResponses, lane).LinkTo(DataflowBlock.NullTarget<StatelessResponse>());

        // transport ◄── channel ◄── serializer ◄── handlers ◄── resources
        From(handle, MeshArrow.Answers, lane).LinkTo(notify);
        notify.LinkTo(robustOut);
        Into(bodiesOut, robustOut, bodiesIn.Streamed);
        Into(suppress, bodiesOut, robustOut.Served, robustIn.Answers, bodiesIn.Answers, freshen.Answers, guard.Answers);
        suppress.LinkTo(limit);
        limit.LinkTo(respond);
        From(Both(Spread(respond, lane), lane.Outgoing), MeshArrow.MessagesOut, lane).LinkTo(serialize);
        From(Both(serialize, deduplicate.Replays), MeshArrow.FramesOut, lane).LinkTo(transmit);
    }

    /// <summary>The arrow out of a stage, with answers to groups held back; where there are no groups nothing is in the way.</summary>
    private static ISourceBlock<OutgoingMessage> Spread(ResponseHandler respond, DatagramLane lane)
    {
        if (lane.Multicast is not { } multicast) { return respond; }
        var leisure = new LeisureStage(lane, multicast, lane.Deduplication);
        respond.LinkTo(leisure);
        return leisure;
    }
}
