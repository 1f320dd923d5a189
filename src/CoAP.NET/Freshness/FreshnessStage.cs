using CoAP.Exchanges;
using CoAP.Options;
using CoAP.Resources;

namespace CoAP.Freshness;

/// <summary>Verifies the peer's address by the Echo option, and challenges requests to resources that require freshness (RFC 9175, section 2.3).</summary>
/// <remarks>The stage precedes the block-wise transfer, so each block of a body has to be fresh.</remarks>
internal sealed class FreshnessStage(ExchangeLane lane, HandlerPipeline pipeline, EndpointEchoes echoes)
    : InlineStage<IncomingRequest, IncomingRequest>
{
    private static readonly int EchoNumber = Echo.Declaration.Number;
    private static readonly ulong EchoBit = OptionNumber.SeenBit(EchoNumber);

    /// <summary>The challenges to requests that are not fresh.</summary>
    public Output<Answer> Answers => field ??= Port<Answer>();

    protected override void Process(in IncomingRequest item)
    {
        var age = (item.Options.Seen & EchoBit) == 0 ? long.MaxValue : AgeOf(item);
        if (RequiredFreshness.MaxAgeOf(item, pipeline.Resources) is { } maxAge && age > maxAge.Ticks)
        {
            Answers.Emit(new Answer(item, echoes.Challenge(item.Peer, lane), isAcknowledged: false));
        }
        else { Out.Emit(item); }
    }

    // Echo is elective, so an invalid value is ignored.
    private long AgeOf(IncomingRequest request)
    {
        if (!request.Options.TryGetValue(EchoNumber, out var value)) { return long.MaxValue; }
        var isOurs = echoes.TryVerify(value, request.Peer, lane, out var age);
        if (isOurs && lane.Addresses is { } addresses && age < addresses.Lifetime) { addresses.Verify(request.Peer); }
        return age;
    }
}
