using Microsoft.Extensions.Logging;

namespace CoAP.Vocabulary;

/// <summary>Every line this library logs.</summary>
internal static partial class Log
{
    [LoggerMessage(1, LogLevel.Error, "A block or predicate that was linked into the mesh failed; messages go past it or are dropped from now on, as set.")]
    public static partial void UserBlockFailed(ILogger logger, Exception exception);

    [LoggerMessage(2, LogLevel.Error, "The handler of {Resource} failed on request [{Token}] of {Peer}; the answer is 5.00.")]
    public static partial void HandlerFailed(ILogger logger, Exception exception, string resource, Token token, PeerIdentity peer);

    [LoggerMessage(13, LogLevel.Error, "The handler of {Resource}, or a step in front of it, returned null for request [{Token}] of {Peer}; the answer is 5.00.")]
    public static partial void HandlerReturnedNull(ILogger logger, string resource, Token token, PeerIdentity peer);

    [LoggerMessage(14, LogLevel.Error, "A stage failed on request [{Token}] of {Peer} for {Resource}; the answer is 5.00.")]
    public static partial void RequestFailed(ILogger logger, Exception exception, string resource, Token token, PeerIdentity peer);

    [LoggerMessage(3, LogLevel.Warning, "The handler of {Resource} held its lane for {Milliseconds:0.0} ms and runs buffered from now on.")]
    public static partial void HandlerTooSlow(ILogger logger, string resource, double milliseconds);

    [LoggerMessage(12, LogLevel.Warning, "The handler of {Resource} held its lane for {Seconds:0.0} s, in which nobody else on it was answered: let it await, or map it with HandlerMode.Buffered.")]
    public static partial void LaneHeld(ILogger logger, string resource, double seconds);

    [LoggerMessage(4, LogLevel.Error, "A message of {Peer} made a stage fail; the message is dropped.")]
    public static partial void StageFailed(ILogger logger, Exception exception, PeerIdentity peer);

    [LoggerMessage(5, LogLevel.Debug, "{Peer} sent a malformed message: {Error}.")]
    public static partial void Malformed(ILogger logger, PeerIdentity peer, FormatError error);

    [LoggerMessage(6, LogLevel.Error, "A lane failed on work from its inbox or at a deadline.")]
    public static partial void LaneWorkFailed(ILogger logger, Exception exception);

    [LoggerMessage(7, LogLevel.Warning, "The response to [{Token}] of {Peer} is {Size} bytes; at most {Limit} fit: the answer is 5.00.")]
    public static partial void ResponseTooLarge(ILogger logger, Token token, PeerIdentity peer, int size, int limit);

    [LoggerMessage(8, LogLevel.Debug, "The connection to {Peer} ended: {Reason}.")]
    public static partial void ConnectionEnded(ILogger logger, PeerIdentity peer, string reason);

    [LoggerMessage(9, LogLevel.Warning, "A connection of {Peer} was refused: {Limit} are open already ({Setting}). {Held} more were refused since the last such line.")]
    public static partial void ConnectionRefused(ILogger logger, PeerIdentity peer, int limit, string setting, long held);

    [LoggerMessage(10, LogLevel.Information, "Listening on {EndPoint}.")]
    public static partial void Listening(ILogger logger, string endPoint);

    [LoggerMessage(11, LogLevel.Warning, "A connection could not be accepted: {Error}. {Held} more since the last such line.")]
    public static partial void AcceptFailed(ILogger logger, System.Net.Sockets.SocketError error, long held);

    [LoggerMessage(31, LogLevel.Information, "A connection of {Peer} was closed: {Reason} {Held} more could not be secured since the last such line.")]
    public static partial void HandshakeFailed(ILogger logger, PeerIdentity peer, string reason, long held);

    [LoggerMessage(20, LogLevel.Warning, "The response of {Resource} is {Size} bytes; at most {Limit} are kept for sending in blocks: the answer is 5.00.")]
    public static partial void BodyTooLarge(ILogger logger, string resource, int size, int limit);

    [LoggerMessage(21, LogLevel.Error, "A handler of an observation's state failed.")]
    public static partial void StateHandlerFailed(ILogger logger, Exception exception);

    [LoggerMessage(32, LogLevel.Error, "The store of observations failed; what it was to keep may be lost.")]
    public static partial void ObserverStoreFailed(ILogger logger, Exception exception);

    [LoggerMessage(61, LogLevel.Information, "Joined the group {Group} on {Count} interfaces.")]
    public static partial void GroupJoined(ILogger logger, string group, int count);

    [LoggerMessage(62, LogLevel.Warning, "No interface took part in the group {Group}: requests to it will not be heard.")]
    public static partial void GroupNotJoined(ILogger logger, string group);
}
