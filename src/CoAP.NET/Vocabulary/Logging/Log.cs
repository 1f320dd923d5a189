using Microsoft.Extensions.Logging;

namespace CoAP.Vocabulary;

/// <summary>All log messages of the library.</summary>
internal static partial class Log
{
    private const string Similar = "{Held}";

    [LoggerMessage((int)LogEvent.UserBlockFailed, LogLevel.Error,
        "A block or predicate linked into the mesh failed. A failed predicate drops the item. "
        + "Items bypass a failed block or are dropped, depending on its settings." + Similar)]
    public static partial void UserBlockFailed(ILogger logger, Exception exception, HeldCount held);

    [LoggerMessage((int)LogEvent.HandlerFailed, LogLevel.Error,
        "The handler of {Resource} failed for request [{Token}] from {Peer}. The response is 5.00." + Similar)]
    public static partial void HandlerFailed(ILogger logger, Exception exception, string resource, Token token, PeerIdentity peer, HeldCount held);

    [LoggerMessage((int)LogEvent.AuthorizerFailed, LogLevel.Error,
        "An authorizer failed for {Resource}, request [{Token}] from {Peer}. The response is 5.00." + Similar)]
    public static partial void AuthorizerFailed(ILogger logger, Exception exception, string resource, Token token, PeerIdentity peer, HeldCount held);

    [LoggerMessage((int)LogEvent.AuthorizerTooSlow, LogLevel.Warning,
        "An authorizer did not answer within {Seconds:0.###} s (AuthorizationTimeout) for {Resource}, request [{Token}] from {Peer}. The response is 5.03." + Similar)]
    public static partial void AuthorizerTooSlow(ILogger logger, double seconds, string resource, Token token, PeerIdentity peer, HeldCount held);

    [LoggerMessage((int)LogEvent.AccountOfFailed, LogLevel.Error,
        "LedgerSettings.AccountOf failed for {Peer}. Its account is its authenticated identity or its address." + Similar)]
    public static partial void AccountOfFailed(ILogger logger, Exception exception, PeerIdentity peer, HeldCount held);

    [LoggerMessage((int)LogEvent.HandlerReturnedNull, LogLevel.Error,
        "The handler of {Resource}, or a step before it, returned null for request [{Token}] from {Peer}. The response is 5.00." + Similar)]
    public static partial void HandlerReturnedNull(ILogger logger, string resource, Token token, PeerIdentity peer, HeldCount held);

    [LoggerMessage((int)LogEvent.RequestFailed, LogLevel.Error,
        "A stage failed for request [{Token}] from {Peer} to {Resource}. The response is 5.00." + Similar)]
    public static partial void RequestFailed(ILogger logger, Exception exception, string resource, Token token, PeerIdentity peer, HeldCount held);

    [LoggerMessage((int)LogEvent.CallbackFailed, LogLevel.Error, "A callback failed that a handler registered with its cancellation token." + Similar)]
    public static partial void CallbackFailed(ILogger logger, Exception exception, HeldCount held);

    [LoggerMessage((int)LogEvent.ServicesNotEnded, LogLevel.Error, "The services of a request that has ended could not be disposed of." + Similar)]
    public static partial void ServicesNotEnded(ILogger logger, Exception exception, HeldCount held);

    [LoggerMessage((int)LogEvent.ChannelSubscriberFailed, LogLevel.Error, "A subscriber of ChannelOpened or ChannelClosed failed." + Similar)]
    public static partial void ChannelSubscriberFailed(ILogger logger, Exception exception, HeldCount held);

    [LoggerMessage((int)LogEvent.HandlerTooSlow, LogLevel.Warning,
        "The handler of {Resource} blocked its lane for {Milliseconds:0.0} ms. It now runs on handler threads.")]
    public static partial void HandlerTooSlow(ILogger logger, string resource, double milliseconds);

    [LoggerMessage((int)LogEvent.LaneHeld, LogLevel.Warning,
        "The handler of {Resource} blocked its lane, and all other requests on that lane, for {Seconds:0.0} s. "
        + "Await instead of blocking, or map it with HandlerMode.Buffered." + Similar)]
    public static partial void LaneHeld(ILogger logger, string resource, double seconds, HeldCount held);

    [LoggerMessage((int)LogEvent.AuthorizerHeldLane, LogLevel.Warning,
        "The authorizer of {Resource} blocked its lane, and all other requests on that lane, for {Seconds:0.0} s. Make it asynchronous." + Similar)]
    public static partial void AuthorizerHeldLane(ILogger logger, string resource, double seconds, HeldCount held);

    [LoggerMessage((int)LogEvent.LaneNotEnded, LogLevel.Error,
        "The endpoint has stopped, but user code for {Resource} still blocks a lane. The lane ends when that code returns.")]
    public static partial void LaneNotEnded(ILogger logger, string resource);

    [LoggerMessage((int)LogEvent.SettingsConflict, LogLevel.Warning, "Settings contradict each other: {Conflict}")]
    public static partial void SettingsConflict(ILogger logger, string conflict);

    [LoggerMessage((int)LogEvent.NoEndpoints, LogLevel.Information,
        "The server has no endpoints (CoapServerSettings.Endpoints). It serves only the WebSockets that a web host passes to it.")]
    public static partial void NoEndpoints(ILogger logger);

    [LoggerMessage((int)LogEvent.Listening, LogLevel.Information, "Listening on {Endpoint}.")]
    public static partial void Listening(ILogger logger, string endpoint);

    [LoggerMessage((int)LogEvent.Stopped, LogLevel.Information, "The server has stopped.")]
    public static partial void Stopped(ILogger logger);

    [LoggerMessage((int)LogEvent.RequestsUnanswered, LogLevel.Warning,
        "The endpoint stops before all requests are answered ({Count} left), because ShutdownTimeout has passed or the stop was canceled. Their handlers are canceled.")]
    public static partial void RequestsUnanswered(ILogger logger, long count);

    [LoggerMessage((int)LogEvent.Answered, LogLevel.Debug, "{Method} {Resource} [{Token}] from {Peer}: {Code}")]
    public static partial void Answered(ILogger logger, string method, string resource, Token token, PeerIdentity peer, CoapCode code);

    [LoggerMessage((int)LogEvent.Suppressed, LogLevel.Debug, "{Method} {Resource} [{Token}] from {Peer}: {Code}, which the client does not want (No-Response)")]
    public static partial void Suppressed(ILogger logger, string method, string resource, Token token, PeerIdentity peer, CoapCode code);

    [LoggerMessage((int)LogEvent.StageFailed, LogLevel.Error, "A stage failed for a message from {Peer}. The message was dropped." + Similar)]
    public static partial void StageFailed(ILogger logger, Exception exception, PeerIdentity peer, HeldCount held);

    [LoggerMessage((int)LogEvent.Malformed, LogLevel.Debug, "{Peer} sent a malformed message: {Error}.")]
    public static partial void Malformed(ILogger logger, PeerIdentity peer, FormatError error);

    [LoggerMessage((int)LogEvent.LaneWorkFailed, LogLevel.Error, "An action, a timer or a stage of a lane failed." + Similar)]
    public static partial void LaneWorkFailed(ILogger logger, Exception exception, HeldCount held);

    [LoggerMessage((int)LogEvent.ResponseTooLarge, LogLevel.Warning,
        "The response to request [{Token}] from {Peer} has {Size} bytes, but at most {Limit} fit into a message. The response is 5.00 instead."
        + Similar)]
    public static partial void ResponseTooLarge(ILogger logger, Token token, PeerIdentity peer, int size, int limit, HeldCount held);

    [LoggerMessage((int)LogEvent.UnreadResponses, LogLevel.Warning,
        "{Peer} has not read more than {Limit} bytes of responses (StreamSettings.MaxUnsentSize). An error replaces a further large response." + Similar)]
    public static partial void UnreadResponses(ILogger logger, PeerIdentity peer, long limit, HeldCount held);

    [LoggerMessage((int)LogEvent.ConnectionEnded, LogLevel.Debug, "The connection to {Peer} ended: {Reason}.")]
    public static partial void ConnectionEnded(ILogger logger, PeerIdentity peer, string reason);

    [LoggerMessage((int)LogEvent.ConnectionRefused, LogLevel.Warning,
        "A connection from {Peer} was refused: {Account} holds {Count} of {Limit} ({Setting}). One account may hold at most as many as are still free." + Similar)]
    public static partial void ConnectionRefused(ILogger logger, PeerIdentity peer, string account, long count, long limit, string setting, HeldCount held);

    [LoggerMessage((int)LogEvent.LimitReached, LogLevel.Warning,
        "A limit was reached: {Account} holds {Count} of {Limit} ({Setting}), and all accounts together hold {Used}. "
        + "{Rule}." + Similar)]
    public static partial void LimitReached(
        ILogger logger, string account, long count, long limit, string setting, long used, string rule, HeldCount held);

    [LoggerMessage((int)LogEvent.AcceptFailed, LogLevel.Warning,
        "A connection could not be accepted: {Error}.{Held}")]
    public static partial void AcceptFailed(ILogger logger, System.Net.Sockets.SocketError error, HeldCount held);

    [LoggerMessage((int)LogEvent.ConnectionNotServed, LogLevel.Error,
        "A connection of {Peer} was closed because the stages of its lane could not be created." + Similar)]
    public static partial void ConnectionNotServed(ILogger logger, Exception exception, PeerIdentity peer, HeldCount held);

    [LoggerMessage((int)LogEvent.HandshakeFailed, LogLevel.Information,
        "A connection from {Peer} could not be secured and was closed: {Reason}{Held}")]
    public static partial void HandshakeFailed(ILogger logger, PeerIdentity peer, string reason, HeldCount held);

    [LoggerMessage((int)LogEvent.AlternativeIgnored, LogLevel.Warning, "The Alternative-Address {Address} of {Peer} was ignored: {Reason}." + Similar)]
    public static partial void AlternativeIgnored(ILogger logger, string address, PeerIdentity peer, string reason, HeldCount held);

    [LoggerMessage((int)LogEvent.BodyTooLarge, LogLevel.Warning,
        "The response of {Resource} has {Size} bytes, but at most {Limit} are kept for sending in blocks. The response is 5.00 instead." + Similar)]
    public static partial void BodyTooLarge(ILogger logger, string resource, int size, int limit, HeldCount held);

    [LoggerMessage((int)LogEvent.StateHandlerFailed, LogLevel.Error, "A StateChanged event handler of an observation failed." + Similar)]
    public static partial void StateHandlerFailed(ILogger logger, Exception exception, HeldCount held);

    [LoggerMessage((int)LogEvent.ObserverStoreFailed, LogLevel.Error,
        "The store of observations failed. Data that was not saved may be lost." + Similar)]
    public static partial void ObserverStoreFailed(ILogger logger, Exception exception, HeldCount held);

    [LoggerMessage((int)LogEvent.ObserversDropped, LogLevel.Warning,
        "{Count} stored observations were dropped: their link-local clients are behind network interfaces that this machine "
        + "does not have ({Zones}).")]
    public static partial void ObserversDropped(ILogger logger, int count, string zones);

    [LoggerMessage((int)LogEvent.StreamForObservers, LogLevel.Error,
        "The handler of {Path} returned a stream for its observers. A stream can be read only once, so the observations end with 5.00." + Similar)]
    public static partial void StreamForObservers(ILogger logger, string path, HeldCount held);

    [LoggerMessage((int)LogEvent.CertificateNotRenewed, LogLevel.Error, "The certificate was not renewed from {CertificateFile} and {KeyFile}. The previous one stays in use.")]
    public static partial void CertificateNotRenewed(ILogger logger, Exception exception, string certificateFile, string keyFile);

    [LoggerMessage((int)LogEvent.LaneFailed, LogLevel.Critical, "A defect in CoAP.NET has ended a lane. Please report it.")]
    public static partial void LaneFailed(ILogger logger, Exception exception);

    [LoggerMessage((int)LogEvent.GroupJoined, LogLevel.Information, "Joined the group {Group} on {Count} interfaces.")]
    public static partial void GroupJoined(ILogger logger, string group, int count);

    [LoggerMessage((int)LogEvent.GroupNotJoined, LogLevel.Warning, "No interface joined the group {Group}. Requests to it will not be received.")]
    public static partial void GroupNotJoined(ILogger logger, string group);

    [LoggerMessage((int)LogEvent.MembersSkipped, LogLevel.Warning,
        "Discovery skipped {Count} members of the group. They answered with a part of their links, but not with the rest in time.")]
    public static partial void MembersSkipped(ILogger logger, int count);
}
