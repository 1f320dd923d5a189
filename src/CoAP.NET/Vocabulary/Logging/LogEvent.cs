namespace CoAP.Vocabulary;

/// <summary>
/// The IDs of all log messages of the library. <see cref="LogCategories"/> assigns a category to each. The IDs are stable. Those of other packages are in the
/// ranges that <see cref="LogCategories"/> lists.
/// </summary>
internal enum LogEvent
{
    UserBlockFailed = 1,
    HandlerFailed = 2,
    HandlerTooSlow = 3,
    StageFailed = 4,
    Malformed = 5,
    LaneWorkFailed = 6,
    ResponseTooLarge = 7,
    ConnectionEnded = 8,
    ConnectionRefused = 9,
    AcceptFailed = 11,
    LaneHeld = 12,
    HandlerReturnedNull = 13,
    RequestFailed = 14,
    CallbackFailed = 15,
    LaneNotEnded = 16,
    SettingsConflict = 17,
    NoEndpoints = 18,
    Listening = 19,
    BodyTooLarge = 20,
    StateHandlerFailed = 21,
    Stopped = 22,
    Answered = 23,
    Suppressed = 24,
    HandshakeFailed = 31,
    ObserverStoreFailed = 32,
    StreamForObservers = 33,
    AuthorizerFailed = 34,
    AuthorizerTooSlow = 35,
    AccountOfFailed = 36,
    ConnectionNotServed = 37,
    AuthorizerHeldLane = 38,
    LimitReached = 39,
    AlternativeIgnored = 41,
    UnreadResponses = 42,
    CertificateNotRenewed = 52,
    LaneFailed = 53,
    ChannelSubscriberFailed = 60,
    GroupJoined = 61,
    GroupNotJoined = 62,
    CaptureFailed = 80,
}
