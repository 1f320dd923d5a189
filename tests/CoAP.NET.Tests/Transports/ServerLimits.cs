using CoAP.Accounting;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

/// <summary>The limits of a server with certain settings.</summary>
internal static class ServerLimits
{
    public static Ledger Default { get; } = LedgerOf(new CoapServerSettings());

    public static ConnectionLimits Of(TcpSettings settings, bool isBlocking = false)
    {
        var ledger = LedgerOf(new CoapServerSettings { Tcp = settings, Mode = isBlocking ? ServerMode.Sync : ServerMode.Async });
        return new ConnectionLimits(ledger, ledger.Connections, "MaxConnections");
    }

    public static Ledger LedgerOf(CoapEndpointSettings settings) => settings.CreateLedger(settings.CreateLog());
}
