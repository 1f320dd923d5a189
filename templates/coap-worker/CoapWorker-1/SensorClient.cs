using CoAP;

namespace ProgramNamespace;

/// <summary>The sensors of a device. The settings of its client are in the section "CoapClients:SensorClient" of the configuration.</summary>
public sealed class SensorClient(IRequestSender sender)
{
    /// <summary>Reads the last reading of a sensor.</summary>
    /// <exception cref="CoapException">The device did not answer, or it answered with an error.</exception>
    public ValueTask<Reading> ReadAsync(int id, CancellationToken cancellationToken) =>
        sender.GetAsync<Reading>($"/sensors/{id}", cancellationToken);
}
