using CoAP.Lanes;
using CoAP.Transports;

namespace CoAP.Streams;

/// <summary>What a lane offers to the connections that live on it. All but the last two are for the lane's own thread.</summary>
internal interface IStreamLane
{
    /// <summary>What connections are read into, one after another.</summary>
    Memory<byte> Buffer { get; }

    /// <summary>Whether there is no room for one more request, so that nothing more is read.</summary>
    bool IsHeldBack { get; }

    /// <summary>What the connections of the endpoint may hold together.</summary>
    StreamBudget Budget { get; }

    /// <summary>Hands on the bytes of a request, a response or an Empty message.</summary>
    void Receive(in Frame frame);

    /// <summary>Hands on the bytes of a signal.</summary>
    void ReceiveSignal(in Frame frame);

    /// <summary>The connection has something to send at the end of the turn.</summary>
    void FlushLater(StreamChannel channel);

    /// <summary>The connection is to be resumed when there is room again.</summary>
    void ResumeLater(StreamChannel channel);

    /// <summary>The connection is gone.</summary>
    void Remove(StreamChannel channel);

    /// <summary>Adds to the inbox. The calling thread has nothing else to do and may give the lane its turn.</summary>
    void PostHere(LaneWork work);

    /// <summary>Gives the lane a turn on the calling thread, which does the work in it; waits while another thread has the lane.</summary>
    void RunHere(LaneWork work);
}
