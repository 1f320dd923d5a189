namespace CoAP.Dtls;

/// <summary>Computes handshakes and asks the user's code for keys: outside the lanes, or on them in simulated time.</summary>
internal abstract class HandshakeWorkers : IDisposable
{
    /// <summary>Starts code that awaits code of the user. It must not throw.</summary>
    public abstract void Start(Func<Task> code);

    /// <summary>Queues a computation after code of the user. It must not throw.</summary>
    /// <param name="account">The account of the peer.</param>
    /// <param name="work">The computation.</param>
    public abstract void Continue(Account account, Action work);

    /// <summary>Queues a computation. It must not throw.</summary>
    /// <param name="account">The account of the peer.</param>
    /// <param name="work">The computation.</param>
    public abstract void Post(Account account, Action work);

    /// <summary>Accepts no further computations.</summary>
    public abstract void Dispose();
}
