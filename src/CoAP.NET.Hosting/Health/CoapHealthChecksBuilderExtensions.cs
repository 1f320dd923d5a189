using CoAP;
using CoAP.Hosting;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds health checks of CoAP servers and clients.</summary>
public static class CoapHealthChecksBuilderExtensions
{
    private static readonly TimeSpan DefaultTimeout = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Checks the server of the host. It is healthy if it runs and every lane answers a probe, degraded if a queue is nearly full or the certificate
    /// of TLS or DTLS expires soon, and unhealthy otherwise.
    /// </summary>
    /// <param name="builder">The health checks of the host.</param>
    /// <param name="name">The name of the check. Default: "coap-server".</param>
    /// <param name="settings">The limits. Default: those of <see cref="CoapHealthSettings"/>.</param>
    /// <param name="failureStatus">The status of a failed check. Default: <see cref="HealthStatus.Unhealthy"/>.</param>
    /// <param name="tags">The tags of the check. Default: none.</param>
    /// <remarks>A lane that a handler blocks is found after <see cref="CoapHealthSettings.LaneTimeout"/>. The check sends no message.</remarks>
    public static IHealthChecksBuilder AddCoapServer(
        this IHealthChecksBuilder builder, string name = "coap-server", CoapHealthSettings? settings = null, HealthStatus? failureStatus = null,
        IEnumerable<string>? tags = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var limits = settings ?? new CoapHealthSettings();
        return builder.Add(new HealthCheckRegistration(
            name, provider => new CoapServerHealthCheck(provider.GetService<CoapServer>(), limits, provider.GetService<TimeProvider>() ?? TimeProvider.System),
            failureStatus, tags));
    }

    /// <summary>Checks a peer by a GET. It is healthy after a success, degraded after an error of class 4, and unhealthy otherwise.</summary>
    /// <param name="builder">The health checks of the host.</param>
    /// <param name="uri">The URI of the resource, or a relative one if the client has a <see cref="CoapClientSettings.BaseUri"/>.</param>
    /// <param name="name">The name of the check. Default: "coap-peer". Two checks need different names.</param>
    /// <param name="client">The name of the client. Default: the client without a name.</param>
    /// <param name="timeout">The longest time of the check. Default: 5 s.</param>
    /// <param name="failureStatus">The status of a failed check. Default: <see cref="HealthStatus.Unhealthy"/>.</param>
    /// <remarks>The check goes past the cache and the resilience pipeline of the client.</remarks>
    public static IHealthChecksBuilder AddCoapPeer(
        this IHealthChecksBuilder builder, string uri, string name = "coap-peer", string client = "", TimeSpan? timeout = null,
        HealthStatus? failureStatus = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrEmpty(uri);
        ArgumentNullException.ThrowIfNull(client);
        var longest = timeout ?? DefaultTimeout;
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(longest, TimeSpan.Zero, nameof(timeout));
        return builder.Add(new HealthCheckRegistration(
            name, provider => new CoapPeerHealthCheck(provider.GetService<ICoapClientFactory>()?.Get(client), uri, longest), failureStatus, tags: null));
    }
}
