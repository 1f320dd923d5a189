using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace CoAP.Hosting;

/// <summary>Checks a peer of the host by a GET.</summary>
/// <param name="client">The client; <see langword="null"/> if the services have none.</param>
/// <param name="uri">The URI of the resource.</param>
/// <param name="timeout">The longest time of the check.</param>
internal sealed class CoapPeerHealthCheck(CoapClient? client, string uri, TimeSpan timeout) : IHealthCheck
{
    public async Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        var failed = context.Registration.FailureStatus;
        if (client is null) { return new(failed, "The check needs a CoAP client, but the services contain none. Call services.AddCoapClient()."); }
        try
        {
            var response = await client.SendAsync(new CoapRequest(RequestCode.Get, uri) { Timeout = timeout, IgnoresCache = true }, cancellationToken).ConfigureAwait(false);
            var data = new Dictionary<string, object> { ["code"] = response.Code.ToString(), ["round-trip"] = response.RoundTripTime };
            return response.IsSuccess
                ? new(HealthStatus.Healthy, $"{uri} answered {response.Code}.", data: data)
                : new(response.Code.Class == 4 ? HealthStatus.Degraded : failed, $"{uri} answered {response.Code}.", data: data);
        }
        catch (CoapException exception) { return new(failed, exception.Message, exception); }
    }
}
