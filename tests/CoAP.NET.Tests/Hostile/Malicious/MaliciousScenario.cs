using CoAP.Options;

namespace CoAP.Tests.Hostile.Malicious;

/// <summary>A request, a server over datagrams that reacts to it as no server should, and the end that the call has to have.</summary>
internal sealed record MaliciousScenario(string Name, Func<CoapRequest> Request, Action<MaliciousServer, CoapMessage> React, MaliciousEnd End)
{
    /// <summary>The scenarios of all themes.</summary>
    public static IReadOnlyList<MaliciousScenario> All { get; } = [.. MessageScenarios.All, .. DownloadScenarios.All, .. UploadScenarios.All];

    public static MaliciousScenario Of(string name) => All.Single(scenario => scenario.Name == name);

    public static CoapRequest Get() => new(RequestCode.Get, "/x");

    public static CoapRequest Put() => new(RequestCode.Put, "/x") { Payload = new byte[20_000] };

    /// <summary>The number of the block that a request asks for.</summary>
    public static int NumberOf(CoapMessage request) => request.Options.Get<Block2>()?.BlockNumber ?? 0;

    public static void Times(int count, Action action)
    {
        for (var one = 0; one < count; one++) { action(); }
    }
}
