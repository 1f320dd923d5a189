namespace CoAP.Tests.Hostile.Malicious;

/// <summary>A server that treats an observation as no server should, and what the reader gets first.</summary>
/// <param name="Name">The name of the scenario.</param>
/// <param name="React">Reacts to each request, a registration or another one.</param>
/// <param name="First">The end of the reader's wait for the first notification. A response is that notification.</param>
/// <param name="Reason">The reason why the observation has ended by the end of the scenario; <see langword="null"/> if it has not.</param>
/// <param name="MostRequests">The most requests that the client sends in the hour that the scenario takes.</param>
internal sealed record ObservationScenario(
    string Name, Action<MaliciousServer, CoapMessage> React, MaliciousEnd First, ObservationEnd? Reason = null, int MostRequests = 200)
{
    public static ObservationScenario Of(string name) => ObservationScenarios.All.Single(scenario => scenario.Name == name);
}
