using CoAP.Lanes;

namespace CoAP.Stateless;

/// <summary>A channel that can send a request without keeping anything of it.</summary>
internal interface IStatelessChannel : IChannel
{
    /// <summary>Hands the request to the lane; the answer ends when it was sent or could not be.</summary>
    /// <exception cref="ArgumentException">The request does not fit into a message.</exception>
    PendingResponse SendStateless(CoapRequest request, StatelessTokens tokens, ReadOnlyMemory<byte> state, bool parked);
}
