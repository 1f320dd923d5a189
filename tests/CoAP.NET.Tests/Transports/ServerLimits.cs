using CoAP.Accounting;
using CoAP.Mesh;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

/// <summary>The limits of a server with certain settings.</summary>
internal static class ServerLimits
{
    public static Ledger Default { get; } = new CoapServerSettings().CreateLedger();

    public static ConnectionLimits Of(TcpSettings settings, bool isBlocking = false)
    {
        var ledger = new CoapServerSettings { Tcp = settings, Mode = isBlocking ? ServerMode.Sync : ServerMode.Async }.CreateLedger();
        return new ConnectionLimits(ledger, ledger.Connections, "MaxConnections");
    }
}
