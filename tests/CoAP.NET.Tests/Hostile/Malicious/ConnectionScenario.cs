namespace CoAP.Tests.Hostile.Malicious;

/// <summary>A request over a connection, what the server does at first and at each request, and the end that the call has to have.</summary>
internal sealed record ConnectionScenario(
    string Name, Func<CoapRequest> Request, Action<MaliciousStream> Open, Action<MaliciousStream, CoapMessage> React, MaliciousEnd End)
{
    public static IReadOnlyList<ConnectionScenario> All { get; } = [.. SignalScenarios.All, .. StreamBodyScenarios.All];

    public static ConnectionScenario Of(string name) => All.Single(scenario => scenario.Name == name);

    public static CoapRequest Put() => new(RequestCode.Put, "/x") { Payload = new byte[200_000] };

    /// <summary>Sends the CSM that most servers send.</summary>
    public static void Csm(MaliciousStream server) => server.Csm(1 << 20);

    public static void Ignore(MaliciousStream server, CoapMessage request)
    {
    }
}
