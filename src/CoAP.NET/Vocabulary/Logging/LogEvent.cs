namespace CoAP.Vocabulary;

/// <summary>The IDs of the log messages that peers can provoke repeatedly.</summary>
internal enum LogEvent
{
    UserBlockFailed = 1,
    HandlerFailed = 2,
    StageFailed = 4,
    LaneWorkFailed = 6,
    ResponseTooLarge = 7,
    ConnectionRefused = 9,
    AcceptFailed = 11,
    LaneHeld = 12,
    HandlerReturnedNull = 13,
    RequestFailed = 14,
    CallbackFailed = 15,
    BodyTooLarge = 20,
    StateHandlerFailed = 21,
    ServicesNotEnded = 25,
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
    ChannelSubscriberFailed = 60,
}
