using System.Threading.Tasks.Dataflow;

namespace CoAP.Dtls;

/// <summary>Computes handshakes outside the lanes, a limited number at a time. Each handshake has at most one computation in the queue.</summary>
internal sealed class HandshakeWorkers(int count, bool runsOnCaller) : IDisposable
{
    private readonly ActionBlock<Action> _block = new(static work => work(), new() { MaxDegreeOfParallelism = count });

    /// <summary>Queues a computation. It must not throw.</summary>
    public void Post(Action work)
    {
        if (runsOnCaller) { work(); }
        else { _block.Post(work); }
    }

    public void Dispose() => _block.Complete();
}
