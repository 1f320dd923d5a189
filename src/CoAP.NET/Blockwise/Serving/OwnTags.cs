using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>Answers 2.03 to clients that have a representation with an ETag of the library (RFC 7252, section 5.9.1.3).</summary>
/// <remarks>
/// The library gives such tags to bodies in blocks whose handlers set none. They are computed from the bytes (<see cref="RepresentationTags"/>). A handler
/// that sets ETags compares them itself, or its resource declares <see cref="ResourceConditionExtensions"/>.
/// </remarks>
internal static class OwnTags
{
    /// <summary>Returns 2.03 instead of a 2.05 if the request has the tag that the library gives to the body.</summary>
    public static CoapResponse Validate(IncomingRequest request, CoapResponse response)
    {
        if (!RepresentationTags.MayValidate(request) || response.Code != ResponseCode.Content || response.Payload.IsEmpty) { return response; }
        if (!RepresentationTags.Wants(response) || request.Options.Get<Block2>() is { BlockNumber: > 0 }) { return response; }
        // The client does not accept this format, so it does not have this representation: 4.06 follows.
        if (!ReferenceEquals(request.Acceptable(response), response)) { return response; }
        if (!RepresentationTags.IsAtHand(request, response)) { return response; }
        var tag = response.ComputeTag();
        return tag.IsListedIn(request.Options) ? ValidWith(tag, response) : response;
    }

    // Only these options describe the stored representation. The others belong to the payload that is left out.
    private static CoapResponse ValidWith(ETag tag, CoapResponse response) => new(ResponseCode.Valid)
    {
        Options = [tag, .. response.Options.Where(static option => option is Observe or MaxAge)],
    };
}
