using CoAP.Vocabulary;

namespace CoAP.Lanes;

/// <summary>The counters of one lane. Only the lane writes them, and the meter reads them at any time.</summary>
/// <param name="codes">The number of types and codes to count. <see cref="Codes"/> is enough for transports without message types.</param>
internal sealed class LaneCounters(int codes = LaneCounters.TypesAndCodes) : CounterTable(FirstCode + (2 * codes))
{
    /// <summary>The number of codes.</summary>
    public const int Codes = 256;

    /// <summary>The number of message types and codes.</summary>
    public const int TypesAndCodes = 4 * Codes;

    public static readonly CounterGroup Group = new("{message}");

    public static readonly Counter Retransmissions = Group.Define("coap.retransmissions", "Confirmable messages that were sent again.");

    public static readonly Counter Duplicates = Group.Define("coap.duplicates", "Messages that were received again.");

    public static readonly Counter ReusedMessageIds = Group.Define("coap.message_id.reused", "Message IDs that were reused before their quarantine was over.", "{id}");

    public static readonly Counter PeersReusingMessageIds =
        Group.Define("coap.message_id.reused_by_peer", "Messages that arrived with the ID of another message.");

    public static readonly Counter Malformed = Group.Define("coap.malformed", "Messages that broke the format.");

    public static readonly Counter Unmatched = Group.Define("coap.unmatched", "Responses, acknowledgements and Resets that matched no exchange.");

    public static readonly Counter ForgottenAnswers =
        Group.Define("coap.deduplication.forgotten", "Answers that deduplication forgot before EXCHANGE_LIFETIME was over, because it had no room.");

    public static readonly Counter FailedRequests = Group.Define("coap.request.failed", "Requests of this endpoint that ended without a response.", "{request}");

    public static readonly Counter UnacknowledgedAnswers = Group.Define("coap.answer.unacknowledged", "Separate responses that were not acknowledged.");

    public static readonly Counter LateAnswers = Group.Define("coap.answer.late", "Answers that came after their connection had ended.");

    public static readonly Counter UnreadAnswers =
        Group.Define("coap.answer.unread", "Answers that an error replaced, because the peer had not read earlier ones.");

    public static readonly Counter LimitedAnswers = Group.Define("coap.answer.limited", "Answers that were too large for an unverified address.");

    public static readonly Counter IgnoredMulticasts = Group.Define("coap.multicast.ignored", "Messages to a group that were not non-confirmable requests.");

    public static readonly Counter SuppressedAnswers = Group.Define("coap.multicast.suppressed", "Answers to multicast requests that were not sent.");

    public static readonly Counter DroppedGroupAnswers =
        Group.Define("coap.multicast.answers_dropped", "Answers from groups for which a slow reader had no room.");

    public static readonly Counter Notifications = Group.Define("coap.notifications", "Notifications that were sent. Retransmissions do not count.");

    public static readonly Counter DeclinedObservations =
        Group.Define("coap.observation.declined", "Requests to observe that a limit turned into plain requests.", "{request}");

    public static readonly Counter UnsavedObservations =
        Group.Define("coap.observation.unsaved", "Changes of observations that were not stored, because the store was full or failed.", "{change}");

    public static readonly Counter AbortedConnections = Group.Define();

    public static readonly Counter DroppedForOverload = Group.Define();

    public static readonly Counter DroppedAtEnd = Group.Define();

    /// <summary>Duplicates that caused no message, for example of a non-confirmable request.</summary>
    public static readonly Counter IgnoredDuplicates = Group.Define();

    /// <summary>Messages that were not sent, because all message IDs of their peer are in use.</summary>
    public static readonly Counter WithoutMessageId = Group.Define();

    /// <summary>Requests that a rate limit refused.</summary>
    public static readonly Counter TooFrequent = Group.Define();

    /// <summary>Requests that ended while they waited for a handler thread.</summary>
    public static readonly Counter SkippedRequests = Group.Define();

    /// <summary>The time that the lane has worked, in ticks.</summary>
    public static readonly Counter BusyTime = Group.Define();

    /// <summary>The current observations of this endpoint's resources.</summary>
    public static readonly Counter ActiveObservations = Group.Define();

    /// <summary>Requests in progress, received and sent.</summary>
    public static readonly Counter ActiveExchanges = Group.Define();

    /// <summary>Received requests in progress.</summary>
    public static readonly Counter ActiveServerRequests = Group.Define();

    /// <summary>The age of the oldest message that deduplication remembers, in ticks; 0 if it remembers none.</summary>
    public static readonly Counter DeduplicationWindow = Group.Define();

    private static readonly int FirstEnd = Group.Count;
    private static readonly int FirstError = FirstEnd + Enum.GetValues<RequestEnd>().Length;
    private static readonly int FirstCode = FirstError + Enum.GetValues<FormatError>().Length;

    /// <summary>The number of received requests that ended in a way.</summary>
    public ref long this[RequestEnd end] => ref this[PlaceOf(end)];

    /// <summary>The number of received messages with a format error.</summary>
    public ref long this[FormatError error] => ref this[PlaceOf(error)];

    public static int PlaceOf(RequestEnd end) => FirstEnd + (int)end;

    public static int PlaceOf(FormatError error) => FirstError + (int)error;

    /// <summary>Returns the place of the received or sent messages with a type and code. Lanes without types have the first places only.</summary>
    public static int PlaceOf(int typeAndCode, bool isSent) => FirstCode + (2 * typeAndCode) + (isSent ? 1 : 0);

    public void Received(CoapMessage message) => this[PlaceOf(IndexOf(message), isSent: false)]++;

    public void Sent(CoapMessage message) => this[PlaceOf(IndexOf(message), isSent: true)]++;

    /// <summary>Sets the numbers of requests in progress.</summary>
    public void SetActive(int received, int sent) => (this[ActiveServerRequests], this[ActiveExchanges]) = (received, received + sent);

    /// <summary>Counts a message that broke the format.</summary>
    public void Reject(FormatError error)
    {
        this[Malformed]++;
        this[error]++;
    }

    private static int IndexOf(CoapMessage message) => ((int)message.Type << 8) | message.Code.Value;
}
