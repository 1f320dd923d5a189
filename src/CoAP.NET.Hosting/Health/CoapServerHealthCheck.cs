using System.Globalization;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace CoAP.Hosting;

/// <summary>Checks the server of the host.</summary>
/// <param name="server">The server; <see langword="null"/> if the host has none.</param>
/// <param name="settings">The limits.</param>
/// <param name="time">The clock.</param>
internal sealed class CoapServerHealthCheck(CoapServer? server, CoapHealthSettings settings, TimeProvider time) : IHealthCheck
{
    public async Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        if (server is null) { return new(context.Registration.FailureStatus, "The host has no CoAP server. Add it with services.AddCoapServer()."); }
        var state = await server.GetStateAsync(settings.LaneTimeout, cancellationToken).ConfigureAwait(false);
        string[] failures = [.. FailuresOf(state)];
        string[] warnings = [.. WarningsOf(state)];
        var status = failures.Length > 0 ? context.Registration.FailureStatus : warnings.Length > 0 ? HealthStatus.Degraded : HealthStatus.Healthy;
        var text = failures.Length + warnings.Length > 0
            ? string.Join(' ', [.. failures, .. warnings])
            : $"{state.Lanes.Count} lanes answer, {state.Endpoints.Count} endpoints are bound.";
        return new(status, text, state.Failure, DataOf(state));
    }

    private IEnumerable<string> FailuresOf(CoapServerState state)
    {
        if (state.Failure is { } failure) { yield return $"The CoAP server has ended because of an internal error: {failure.Message}"; }
        else if (!state.IsRunning) { yield return "The CoAP server is not running."; }
        foreach (var lane in state.Lanes.Where(static lane => !lane.IsAlive))
        {
            yield return $"The {lane} has not answered for {Seconds(settings.LaneTimeout)} s. Probably a handler blocks it; use HandlerMode.Buffered for handlers that block.";
        }
        foreach (var (protocol, _, end) in CertificatesOf(state).Where(one => one.End <= time.GetUtcNow()))
        {
            yield return $"The {protocol} certificate expired on {Date(end)}. Replace it.";
        }
    }

    private IEnumerable<string> WarningsOf(CoapServerState state)
    {
        if (state.PendingRequests.Fraction > settings.MaxQueueFraction) { yield return QueueText("requests wait for an answer", state.PendingRequests, "MaxPendingRequests"); }
        if (state.HandlerQueue.Fraction > settings.MaxQueueFraction) { yield return QueueText("requests are in the queue of handlers", state.HandlerQueue, "MaxHandlerQueue"); }
        foreach (var (protocol, _, end) in CertificatesOf(state).Where(one => one.End > time.GetUtcNow() && one.End - time.GetUtcNow() < settings.CertificateWarning))
        {
            yield return $"The {protocol} certificate expires on {Date(end)}. Replace it before.";
        }
    }

    private static IEnumerable<(string Protocol, string Key, DateTimeOffset End)> CertificatesOf(CoapServerState state)
    {
        if (state.CertificateExpires is { } tls) { yield return ("TLS", "certificate.expires", tls); }
        if (state.DtlsCertificateExpires is { } dtls) { yield return ("DTLS", "dtls.certificate.expires", dtls); }
    }

    private static Dictionary<string, object> DataOf(CoapServerState state)
    {
        var data = new Dictionary<string, object>
        {
            ["endpoints"] = string.Join(", ", state.Endpoints),
            ["lanes"] = state.Lanes.Count,
            ["lanes.answering"] = state.Lanes.Count(static lane => lane.IsAlive),
            ["connections"] = state.OpenConnections,
            ["requests.pending"] = state.PendingRequests.Used,
            ["requests.limit"] = state.PendingRequests.Limit,
            ["queue.used"] = state.HandlerQueue.Used,
            ["queue.limit"] = state.HandlerQueue.Limit,
        };
        if (state.Lanes.Any(static lane => lane.IsAlive)) { data["lanes.slowest"] = state.Lanes.Max(static lane => lane.ProbeTime)!.Value; }
        foreach (var (_, key, end) in CertificatesOf(state)) { data[key] = end; }
        return data;
    }

    private static string QueueText(string what, LimitUsage queue, string setting) => $"{queue.Used} of at most {queue.Limit} {what} ({setting}).";

    private static string Seconds(TimeSpan time) => time.TotalSeconds.ToString("0.###", CultureInfo.InvariantCulture);

    private static string Date(DateTimeOffset time) => time.UtcDateTime.ToString("u", CultureInfo.InvariantCulture);
}
