using CoAP;

namespace SampleWorker;

/// <summary>The sensors of a device, as a typed client.</summary>
internal sealed class Sensors
{
    private readonly IRequestSender _sender;

    public Sensors(IRequestSender sender) => _sender = sender;

    public async Task<string> ReadAsync(int id, CancellationToken cancellationToken)
    {
        var response = await _sender.GetAsync($"/sensors/{id}", cancellationToken);
        return response.EnsureSuccess().PayloadText;
    }
}
