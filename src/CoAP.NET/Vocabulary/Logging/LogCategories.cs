namespace CoAP.Vocabulary;

/// <summary>The categories of log messages, one for each part of an endpoint that a user may want to see or silence.</summary>
internal static class LogCategories
{
    /// <summary>The place in <see cref="All"/> of the messages about received requests, their handlers and their responses.</summary>
    public const int Requests = 1;

    private const int Endpoint = 0, Connections = 2, Security = 3, Observations = 4, Limits = 5, Messages = 6, Mesh = 7;

    /// <summary>All categories.</summary>
    public static IReadOnlyList<string> All { get; } =
        ["CoAP.Endpoint", "CoAP.Requests", "CoAP.Connections", "CoAP.Security", "CoAP.Observations", "CoAP.Limits", "CoAP.Messages", "CoAP.Mesh"];

    /// <summary>Returns the category of a message.</summary>
    /// <param name="id">The ID of its event.</param>
    public static string Of(int id) => All[PlaceOf(id)];

    /// <summary>Returns the place in <see cref="All"/> of the category of a message.</summary>
    /// <param name="id">The ID of its event.</param>
    public static int PlaceOf(int id) => OfLibrary((LogEvent)id) ?? OfPackage(id) ?? Mesh;

    /// <summary>Returns the same for a message of this library; <see langword="null"/> if the library has no such message.</summary>
    public static int? OfLibrary(LogEvent message) => message switch
    {
        LogEvent.LaneNotEnded or LogEvent.SettingsConflict or LogEvent.NoEndpoints or LogEvent.Listening or LogEvent.Stopped or LogEvent.GroupJoined
            or LogEvent.GroupNotJoined or LogEvent.CaptureFailed or LogEvent.RequestsUnanswered or LogEvent.MembersSkipped => Endpoint,
        LogEvent.HandlerFailed or LogEvent.HandlerTooSlow or LogEvent.HandlerReturnedNull or LogEvent.LaneHeld or LogEvent.RequestFailed
            or LogEvent.CallbackFailed or LogEvent.AuthorizerFailed or LogEvent.AuthorizerTooSlow or LogEvent.AuthorizerHeldLane
            or LogEvent.Answered or LogEvent.Suppressed or LogEvent.ServicesNotEnded
            or LogEvent.ResponseTooLarge or LogEvent.BodyTooLarge or LogEvent.StreamForObservers => Requests,
        LogEvent.ConnectionEnded or LogEvent.ConnectionRefused or LogEvent.AcceptFailed or LogEvent.ConnectionNotServed or LogEvent.AlternativeIgnored
            or LogEvent.ChannelSubscriberFailed => Connections,
        LogEvent.HandshakeFailed or LogEvent.CertificateNotRenewed => Security,
        LogEvent.StateHandlerFailed or LogEvent.ObserverStoreFailed or LogEvent.ObserversDropped => Observations,
        LogEvent.AccountOfFailed or LogEvent.LimitReached or LogEvent.UnreadResponses => Limits,
        LogEvent.Malformed => Messages,
        LogEvent.UserBlockFailed or LogEvent.StageFailed or LogEvent.LaneWorkFailed or LogEvent.LaneFailed => Mesh,
        _ => null,
    };

    /// <summary>Returns the same for a message of another package; <see langword="null"/> if the ID is in no range of a package.</summary>
    public static int? OfPackage(int id) => id switch
    {
        >= 70 and <= 79 => Connections,     // CoAP.NET.AspNetCore
        >= 90 and <= 99 => Endpoint,        // CoAP.NET.Hosting
        >= 200 and <= 299 => Security,      // CoAP.NET.Dtls
        _ => null,
    };
}
