using CoAP;

namespace SampleRecipes;

internal sealed class Switch : CoapResource
{
    private string _state = "off";

    protected override ValueTask<CoapResponse> GetAsync(IncomingRequest request, CancellationToken cancellationToken) => new(Response.Content(_state));

    protected override ValueTask<CoapResponse> PutAsync(IncomingRequest request, CancellationToken cancellationToken)
    {
        _state = request.PayloadText;
        return new(Response.Changed);
    }
}
