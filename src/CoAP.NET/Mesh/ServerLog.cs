using CoAP.Vocabulary;
using Microsoft.Extensions.Logging;

namespace CoAP.Mesh;

/// <summary>The log messages of the start and the stop of a server.</summary>
internal static class ServerLog
{
    /// <summary>Writes what in the settings is probably a mistake.</summary>
    public static void Settings(ILogger logger, CoapEndpointSettings settings, IReadOnlyList<ServerEndpoint> endpoints)
    {
        if (endpoints.Count == 0) { Log.NoEndpoints(logger); }
        foreach (var conflict in SettingsConflicts.Find(settings)) { Log.SettingsConflict(logger, conflict); }
        if (settings.Security is not null && !endpoints.Any(static endpoint => endpoint.IsDtls || endpoint.Name is not null))
        {
            Log.SettingsConflict(logger, "Dtls is set, but no endpoint uses it. Add ServerEndpoint.Dtls to Endpoints.");
        }
    }

    /// <summary>Writes how many requests are not answered when the wait for their handlers has ended.</summary>
    public static void Unanswered(ILogger logger, long count)
    {
        if (count > 0) { Log.RequestsUnanswered(logger, count); }
    }

    /// <summary>Writes the addresses that the server is bound to.</summary>
    public static void Listening(ILogger logger, IReadOnlyList<ServerEndpoint> endpoints)
    {
        foreach (var endpoint in endpoints) { Log.Listening(logger, endpoint.ToString()); }
    }
}
