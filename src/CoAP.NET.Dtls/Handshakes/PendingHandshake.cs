using System.Security.Cryptography;
using CoAP.Dtls.OpenSsl;

namespace CoAP.Dtls;

/// <summary>A handshake in progress: the machine on the lane, and the computations on workers.</summary>
internal sealed class PendingHandshake : IDisposable
{
    private const int Idle = 0, Computing = 1, Over = 2;

    private readonly IHandshakeLane _lane;
    private readonly LaneTimer _timer;
    private readonly TimeSpan _endsAt;
    private readonly LedgerCharge? _charge;
    private CancellationTokenSource? _finding;      // of the key store
    private OpenSslHandshake? _handshake;
    private string _serverName = "";
    private bool _hasBegun;
    private bool _hasTimedOut;
    private bool _hasHeard;
    private bool _isTaken;
    private bool _isComputing;      // until the lane has the result
    private int _use;       // shared with the worker: whichever of the two ends last frees the handshake and its charge

    public PendingHandshake(IHandshakeLane lane, in ChannelKey address, LedgerCharge? charge)
    {
        (_lane, Address, _charge) = (lane, address, charge);
        Account = charge?.Account ?? Account.Of(address.Peer);
        (ProgressAt, _endsAt) = (lane.Now, lane.Now + lane.HandshakeTimeout);
        _timer = lane.Lane.CreateTimer(OnTime);
        // A client that never sends the rest of its hello must not stay.
        Schedule();
    }

    public ChannelKey Address { get; }

    /// <summary>The identity of the server; none on a server.</summary>
    public ChannelKey Identity { get; init; }

    /// <summary>Our connection ID; <see langword="null"/> if none are used.</summary>
    public ReadOnlyMemory<byte>? OwnId { get; init; }

    /// <summary>The account that holds the place; of a client, the address of the server.</summary>
    public Account Account { get; }

    /// <summary>The time of the last message of the peer, or of our last new flight.</summary>
    public TimeSpan ProgressAt { get; private set; }

    /// <summary>Whether the handshake waits for the peer, not for a computation or the key store.</summary>
    public bool IsIdle => !_isComputing;

    /// <summary>Whether another handshake has taken the place of this one.</summary>
    public bool IsReplaced { get; set; }

    /// <summary>The messages that wait for the session.</summary>
    public HeldMessages Held { get; } = new();

    /// <summary>Collects the fragments of the ClientHello on a server.</summary>
    public HandshakeAssembler? Hello { get; init; }

    /// <summary>The random bytes of the ClientHello on a server.</summary>
    public byte[] Random { get; init; } = [];

    /// <summary>The machine, once the first computation has ended.</summary>
    public HandshakeMachine? Machine { get; private set; }

    /// <summary>Returns the session of a handshake that has succeeded. The keys of other handshakes are overwritten at their end.</summary>
    public DtlsSession TakeSession()
    {
        _isTaken = true;
        return Machine!.Session!;
    }

    /// <summary>The computations, once the first one has ended.</summary>
    public OpenSslHandshake? Handshake => _handshake;

    /// <summary>Whether the handshake has failed because it took too long: the peer did not answer a flight, or the whole time is over.</summary>
    public bool HasTimedOut => _hasTimedOut || Machine is { HasTimedOut: true };

    /// <summary>Whether the handshake has failed without a single record of the peer.</summary>
    public bool IsUnheard => HasTimedOut && !_hasHeard;

    /// <summary>What has made a computation fail, such as an exception of a callback; <see langword="null"/> if there is nothing.</summary>
    public Exception? Defect { get; private set; }

    /// <summary>The credentials of the peer, when the handshake is done; <see langword="null"/> if it has none.</summary>
    public PeerCredentials? Credentials => _handshake switch
    {
        { Peer.Certificate: { } certificate } => new PeerCredentials { Certificate = certificate },
        { Peer.RawKey: { } key } => new PeerCredentials { RawPublicKey = key },
        { PskIdentity: { } identity } => KeyCredentials.Of(identity, _handshake.KeyServerName),
        _ => null,
    };

    /// <summary>Begins the handshake of a client, or of a server with the whole ClientHello.</summary>
    /// <param name="start">What the handshake begins with.</param>
    /// <param name="number">The number of our first record.</param>
    public void Begin(HandshakeStart start, RecordNumber number)
    {
        if (start.ClientHello is { } hello && _lane.Source.Keys is not null) { _serverName = ClientHello.ServerNameOf(hello); }
        _hasBegun = true;
        Schedule();
        Compute(() => _lane.Source.Begin(out _handshake, start), failure =>
        {
            if (_handshake is null)
            {
                _lane.OnFailed(this, failure ?? "it could not begin");
                return;
            }
            var next = (ushort)(Hello?.Next ?? 0);
            Machine = new HandshakeMachine(_handshake, _lane.Cipher, _lane.ForHandshakes, isServer: start.ClientHello is not null, next, number);
            Machine.OnBegun();
            OnFed(failure);
        });
    }

    /// <summary>Processes a record of the peer. Before the machine exists, it can be a further fragment of the hello.</summary>
    public void OnRecord(in DtlsRecord record)
    {
        _hasHeard = true;
        if (Machine is { } machine)
        {
            machine.OnRecord(record, _lane.Now.Ticks);
            Advance();
        }
        // What follows the hello before the machine exists is dropped: the handshake must not begin twice. The peer repeats it.
        else if (!_hasBegun && Hello is { } hello && record is { Type: ContentType.Handshake, Number.Epoch: 0 })
        {
            hello.Add(record.Body);
            if (hello.TakeNext() is { } whole) { Begin(new HandshakeStart(OwnId, whole, default), record.Number); }
        }
    }

    /// <summary>Ends the handshake. Its memory and its charge end with the computation that may still run.</summary>
    public void Dispose()
    {
        _timer.Stop();
        if (!_isTaken) { Machine?.Session?.Erase(); }
        if (Interlocked.Exchange(ref _use, Over) == Idle) { Free(); }
        if (_finding is { } finding) { _ = CancelAsync(finding); }
    }

    // Processes what has arrived: sends, computes, and ends the handshake when it is done.
    private void Advance()
    {
        if (Machine is not { } machine || Volatile.Read(ref _use) == Over) { return; }
        while (machine.TryNextDatagram(out var datagram)) { _lane.Send(Address, datagram); }
        if (machine.Failure is { } failure) { _lane.OnFailed(this, failure); }
        else if (machine.IsDone) { _lane.OnDone(this); }
        else
        {
            if (machine.NextMessage() is { } message) { Feed(machine, message); }
            Schedule();
        }
    }

    private void Compute(Action work, Action<string?> done)
    {
        _isComputing = true;
        Volatile.Write(ref _use, Computing);
        _lane.Workers.Post(Account, () => Run(work, done));
    }

    // On a worker. A handshake that has ended while it waited in the queue costs nothing more.
    private void Run(Action work, Action<string?> done)
    {
        var (failure, defect) = Volatile.Read(ref _use) == Over ? default : HandshakeErrors.Try(work);
        if (Interlocked.CompareExchange(ref _use, Idle, Computing) == Over) { Free(); }
        else { _lane.Lane.Post(() => OnComputed(failure, defect, done)); }
    }

    private void Free()
    {
        _handshake?.Dispose();
        _charge?.Dispose();
    }

    private void OnComputed(string? failure, Exception? defect, Action<string?> done)
    {
        _isComputing = false;
        if (Volatile.Read(ref _use) == Over) { return; }
        if (defect is not null)
        {
            Defect = defect;
            _lane.Log.KeysFailed(defect, Address.Peer);
        }
        done(failure);
    }

    private void OnFed(string? failure)
    {
        NoteProgress();
        Machine!.OnFed(failure, _lane.Now.Ticks);
        Advance();
    }

    private void Feed(HandshakeMachine machine, byte[] message)
    {
        NoteProgress();
        if (machine.IdentityIn(message) is { } identity)
        {
            _handshake!.PskIdentity = identity.ToArray();
            if (identity.Length <= _lane.Source.MaxIdentity) { Find(_handshake.PskIdentity, message); }
            else { Compute(() => Use(default, message), OnFed); }
        }
        // This takes two hashes. A change of threads would take longer.
        else if (message[0] == (byte)HandshakeType.Finished)
        {
            var (failure, defect) = HandshakeErrors.Try(() => _handshake!.Feed(message));
            OnComputed(failure, defect, OnFed);
        }
        else { Compute(() => _handshake!.Feed(message), OnFed); }
    }

    // The key store may be slow, so the worker does not wait for it. Until it has answered, the charge remains.
    private void Find(byte[] identity, byte[] message)
    {
        _isComputing = true;
        Volatile.Write(ref _use, Computing);
        _finding = new CancellationTokenSource();
        var (keys, ended) = (_lane.Source.Keys, _finding.Token);
        KeyIdentity.TryRead(identity, out var text);
        var request = new PskRequest(text, _serverName, Address.Peer) { IdentityBytes = identity, NameUse = new NameUse() };
        _lane.Workers.Post(Account, () =>
        {
            if (keys is null || Volatile.Read(ref _use) == Over) { Run(() => Use(default, message), OnFound); }
            else { _lane.Workers.Start(() => FindAsync(keys, request, message, ended)); }
        });
    }

    // Begins on a worker and continues on one. It keeps the context, which only a scheduler has.
    private async Task FindAsync(IPskStore keys, PskRequest request, byte[] message, CancellationToken ended)
    {
        var asking = FoundKey.AskAsync(keys, request, ended);
        var isThere = asking.IsCompleted;
        var found = await asking.ConfigureAwait(true);
        if (request.NameUse!.IsUsed && _serverName.Length > 0) { _handshake!.KeyServerName = _serverName; }
        if (isThere) { Run(() => Use(found, message), OnFound); }
        else { _lane.Workers.Continue(Account, () => Run(() => Use(found, message), OnFound)); }
    }

    private void NoteProgress()
    {
        ProgressAt = _lane.Now;
        _lane.Pending.OnProgress(this);
    }

    private void OnFound(string? failure)
    {
        _finding?.Dispose();
        _finding = null;
        OnFed(failure);
    }

    // An error of the store says nothing about the identity, so the alert is another one.
    private void Use(FoundKey found, byte[] message)
    {
        var length = found.Key?.Length;
        if (found.Defect is not null || length is < 1 or > PreSharedKey.MaxKey)
        {
            _handshake!.AddAlert(AlertDescription.InternalError);
            if (length is { } refused) { _lane.Lane.Post(() => _lane.Log.KeyRefused(Address.Peer, _handshake!.PskIdentity, refused)); }
            throw found.Defect ?? new CryptographicException("the key store has no usable key for the client");
        }
        _handshake!.PskKey = found.Key;
        _handshake.KeepIdentity();
        _handshake.Feed(message);
    }

    // Callbacks of the key store run on the thread pool, because they are code of the user.
    private async Task CancelAsync(CancellationTokenSource finding)
    {
        try { await finding.CancelAsync().ConfigureAwait(false); }
        catch (Exception exception) // The edge to the code of the user.
        {
            _lane.Lane.Post(() => _lane.Log.KeysFailed(new CallbackException("The cancellation of IPskStore.FindAsync", TlsFailure.Key, exception), Address.Peer));
        }
        finding.Dispose();
    }

    private void Schedule()
    {
        if (Volatile.Read(ref _use) == Over) { return; }
        var deadline = Machine is { } machine && machine.Deadline != long.MaxValue ? TimeSpan.FromTicks(machine.Deadline) : _endsAt;
        var due = (deadline < _endsAt ? deadline : _endsAt) - _lane.Now;
        _timer.Start(due > TimeSpan.Zero ? due : TimeSpan.Zero);
    }

    private void OnTime()
    {
        if (_lane.Now >= _endsAt)
        {
            _hasTimedOut = true;
            var late = _finding is null ? "it took longer than" : "the key store (IPskStore.FindAsync) has not answered within";
            _lane.OnFailed(this, $"{late} {_lane.HandshakeTimeout.TotalSeconds:0.###} s (HandshakeTimeout)");
        }
        else
        {
            Machine?.OnDeadline(_lane.Now.Ticks);
            Advance();
        }
    }
}
