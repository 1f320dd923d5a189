using CoAP.Exchanges;
using CoAP.Options;
using CoAP.Vocabulary;

namespace CoAP.Blockwise;

/// <summary>Cuts the block out of a response that is asked for, or the first one where the response does not fit into a message (RFC 7959, section 2.4).</summary>
internal sealed class BodiesOut(ExchangeLane lane, LaneBodies bodies) : InlineStage<Answer, Answer>
{
    private static readonly ulong Block2Bit = OptionNumber.SeenBit(Block2.Declaration.Number);

    /// <summary>Blocks of streams, when they have been read.</summary>
    public Output<Answer> Read { get; } = new();

    protected override void OnCompleted()
    {
        base.OnCompleted();
        Read.Complete();
    }

    protected override void Process(in Answer item)
    {
        var (request, response) = (item.Request, item.Response);
        if (request.Streamed is { } streamed)
        {
            streamed.OnAnswer(response);
            return;
        }
        if (request.Connection is { IsClosed: true })
        {
            LetGo(response);    // nobody can ask for the rest of it
            Out.Emit(item);
            return;
        }
        if (response.Source is not null)
        {
            bodies.Follow(request);
            OnStream(item);
            return;
        }
        var asks = (request.Options.Seen & Block2Bit) != 0;
        if (!asks && request.LastBlock is null && MessageRoom.Of(bodies, request).Fits(response))
        {
            Out.Emit(item);
            return;
        }
        bodies.Follow(request);
        var wanted = asks ? request.Options.Get<Block2>() : null;
        var sliced = BlockwiseResponse.First(lane, bodies, request, response, wanted);
        bodies.Watch();
        if (request.LastBlock is { } last && !sliced.Options.Contains<Block1>()) { sliced = BlockwiseResponse.With(sliced, last); }
        Out.Emit(item with { Response = sliced });
    }

    /// <summary>Closes the stream of a response that is not sent. It is the handler's, and may take its time, which is not the lane's.</summary>
    public static void LetGo(CoapResponse response)
    {
        if (response.Source is { } source) { _ = Task.Run(source.Stream.Dispose); }
    }

    private void OnStream(in Answer item)
    {
        if (item.Sender is null && item.Request.Method.IsSafe && bodies.MustVerify(item.Request))
        {
            LetGo(item.Response);
            Out.Emit(item with { Response = lane.Addresses!.Challenge(item.Request.Peer) });
            return;
        }
        var (request, response) = (item.Request, WithETag(item.Response));
        var download = new Download(lane, bodies, request, response, Read);
        if (bodies.TryAdd(download)) { download.Serve(item, request.Options.Get<Block2>(), isFirst: true); }
        else
        {
            LetGo(response);
            Out.Emit(item with { Response = BlockwiseResponse.NoRoom(bodies, download.IsSafe) });
        }
    }

    // Nobody knows whether the next stream will have the same bytes, so each one counts as a state of its own.
    private CoapResponse WithETag(CoapResponse response)
    {
        if (!BlockwiseResponse.WantsETag(response)) { return response; }
        var eTag = new byte[sizeof(ulong)];
        lane.Random.NextBytes(eTag);
        return new CoapResponse(response.Code)
        {
            Options = response.Options.With(new ETag(eTag)),
            Source = response.Source,
        };
    }
}
