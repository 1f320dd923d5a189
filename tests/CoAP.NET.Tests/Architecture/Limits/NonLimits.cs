using System.Linq.Expressions;
using System.Reflection;

namespace CoAP.Tests.Architecture.Limits;

/// <summary>A property that is named like a limit but bounds nothing that a peer can make the endpoint store or do.</summary>
internal sealed record NonLimit(PropertyInfo Member, string Reason);

/// <summary>The properties that are named like limits but need no row in docs/limits.md.</summary>
internal static class NonLimits
{
    private const string Protocol = "a parameter of the protocol, which both peers know";
    private const string OwnMessages = "the size of what this endpoint sends";
    private const string Capture = "bounds a capture that the user starts; what finds no room is left out and counted";
    private const string OwnWaits = "the time between requests of this endpoint's own";

    public static IReadOnlyList<NonLimit> All { get; } =
    [
        Of<TransmissionParameters>(s => s.AckTimeout, Protocol),
        Of<TransmissionParameters>(s => s.MaxRetransmit, Protocol),
        Of<TransmissionParameters>(s => s.MaxLatency, Protocol),
        Of<RobustTransferSettings>(s => s.MaxPayloads, Protocol),
        Of<RobustTransferSettings>(s => s.NonTimeout, Protocol),
        Of<RobustTransferSettings>(s => s.NonReceiveTimeout, Protocol),
        Of<RobustTransferSettings>(s => s.MaxLatency, Protocol),
        Of<MulticastRequestSettings>(s => s.TokenLifetime, Protocol),
        Of<RobustTransferSettings>(s => s.SupportLifetime, "the age of a fact about a peer"),
        Of<FreshnessSettings>(s => s.EchoLifetime, "the age of a value that this endpoint sends"),
        Of<CoapClientSettings>(s => s.AddressLifetime, "the age of the result of a name resolution"),
        Of<CoapEndpointSettings>(s => s.MaxSendSize, OwnMessages),
        Of<ServerTransferSettings>(s => s.PreferredBlockSize, OwnMessages),
        Of<ServerTransferSettings>(s => s.MaxDatagramPayload, OwnMessages),
        Of<ClientTransferSettings>(s => s.BlockSize, OwnMessages),
        Of<StreamSettings>(s => s.LargeMessageSize, "selects the way of sending; nothing is refused"),
        Of<StatelessTokenSettings>(s => s.MaxStateLength, "bounds an argument of the caller"),
        Of<UdpSettings>(s => s.SendBufferSize, "a buffer of the system for datagrams of this endpoint"),
        Of<UdpSettings>(s => s.BatchSize, "the datagrams of one system call; nothing is refused"),
        Of<TcpSettings>(s => s.ConnectionStackSize, "the memory of a thread, whatever the peer does"),
        Of<ReconnectSettings>(s => s.MaxDelay, OwnWaits),
        Of<ClientObservationSettings>(s => s.NotificationTimeout, OwnWaits),
        Of<CoapClientSettings>(s => s.MaxRetryAfter, OwnWaits),
        Of<ClientObservationSettings>(s => s.MaxRegistrationDelay, OwnWaits),
        Of<ClientObservationSettings>(s => s.MaxRetryDelay, OwnWaits),
        Of<ClientTransferSettings>(s => s.RateWindow, "how far a body may fall behind MinRate, which has a row"),
        Of<DtlsSettings>(s => s.FlightTimeout, Protocol),
        Of<DtlsSettings>(s => s.MaxFlightRetransmissions, Protocol),
        Of<DtlsSettings>(s => s.MaxHandshakeDatagram, OwnMessages),
        Of<DtlsClientSettings>(s => s.MaxFragmentLength, Protocol),
        Of<PcapngCaptureSettings>(s => s.BufferSize, Capture),
        Of<PcapngCaptureSettings>(s => s.MaxFileSize, Capture),
        Of<PcapngCaptureSettings>(s => s.MaxFiles, Capture),
        Of<MulticastSettings>(s => s.GroupSize, "an estimate from which the leisure is computed"),
    ];

    private static NonLimit Of<T>(Expression<Func<T, object?>> property, string reason)
    {
        var body = property.Body is UnaryExpression box ? box.Operand : property.Body;
        return new((PropertyInfo)((MemberExpression)body).Member, reason);
    }
}
