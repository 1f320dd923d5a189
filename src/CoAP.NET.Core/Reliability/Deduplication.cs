using System.Numerics;

namespace CoAP.Reliability;

/// <summary>The received messages of a lane and the answers to them, to recognize duplicates (RFC 7252, section 4.5).</summary>
/// <remarks>
/// A duplicate has the same endpoint, message ID and bytes (by hash). An entry lives for EXCHANGE_LIFETIME or NON_LIFETIME after the first
/// reception. Verified peers and all others have a book each: an entry or answer of an unverified peer, whose address may be forged,
/// never replaces one of a verified peer. Verified peers fill at most three quarters of the memory; the others fill what these leave, and
/// give it back when verified peers need it. A share belongs to an account, because one address has thousands of ports, and to all accounts
/// of an IPv6 site (/48) together, because one holder has thousands of networks. If there is no room in a book, its entries are dropped in
/// this order: expired ones; the oldest of the account itself if it has its fair share (room of the book / its active accounts) or more;
/// that of the largest account, if it exceeds its share by a quarter; the oldest of all, except for Unsafe entries while the largest
/// account has its share. In each step, Safe is dropped before Idempotent before Unsafe. Nothing is allocated after construction, and no
/// operation walks all entries.
/// </remarks>
/// <param name="settings">The limits.</param>
/// <param name="parameters">The lifetimes.</param>
/// <param name="key">A secret random number.</param>
internal sealed class Deduplication(DeduplicationSettings settings, TransmissionParameters parameters, ulong key)
{
    private const int Classes = 4;
    private const int WithAnswer = 0;           // the number of a list is (book * Kinds + kind) * Classes + class
    private const int WithoutAnswer = 1;
    private const int NonConfirmable = 2;
    private const int Kinds = 3;
    private const int Lists = PeerShares.Books * Kinds * Classes;
    private const int SweepLength = 4;

    private readonly long _exchangeLifetime = parameters.ExchangeLifetime.Ticks;
    private readonly long _nonLifetime = parameters.NonLifetime.Ticks;
    private readonly ulong _peerKey = key;
    private readonly ContentHash _hash = new(ContentHash.Fold(key, 2));
    private readonly ReceivedEntries _entries = new(settings.Capacity);
    private readonly PeerShares _peers = new(settings.Capacity);
    private readonly AnswerCells _answers = new(settings.AnswerBufferSize);
    private readonly EntryList<InOrder>[] _lists = new EntryList<InOrder>[Lists];
    private readonly int[] _entriesOf = new int[PeerShares.Books];
    private readonly int[] _cellsOf = new int[PeerShares.Books];
    private long _nextExpiry = long.MaxValue;

    /// <summary>The number of messages.</summary>
    public int Count => _entries.Count;

    /// <summary>The number of their accounts.</summary>
    public int Peers => _peers.Active;

    /// <summary>The number of entries that were dropped early because there was no room.</summary>
    public long Dropped { get; private set; }

    /// <summary>The time since the oldest message was received: the period within which duplicates are recognized.</summary>
    /// <remarks>Expired messages are not recognized, even if they are still stored.</remarks>
    public long OldestAge(long now)
    {
        var age = 0L;
        for (var list = 0; list < Lists; list++)
        {
            var index = _lists[list].Oldest;
            if (index < 0) { continue; }
            var lifetime = LifetimeOf(KindOf(list));
            age = Math.Max(age, Math.Min(lifetime, now - _entries.All[index].Expiry + lifetime));
        }
        return age;
    }

    /// <summary>Returns the hashes of a channel, or of one of those who share it.</summary>
    /// <param name="key">The channel.</param>
    /// <param name="identity">The key of the credentials of the sender; <see langword="null"/> if it has none.</param>
    public SenderHash HashOf(in ChannelKey key, object? identity = null)
    {
        var channel = key.Peer.Hash(_peerKey) + BitOperations.RotateLeft(key.Local.Hash(~_peerKey), 32);
        if (identity is null) { return new(channel, HashAccount(key.Peer)); }
        var credentials = _peerKey ^ (uint)identity.GetHashCode();
        var account = identity is string ? ContentHash.Fold(credentials, 0x9E37_79B9_7F4A_7C15) : HashAccount(key.Peer);
        return new(ContentHash.Fold(channel, credentials), account);
    }

    /// <summary>Looks up a received message and stores it if it is new.</summary>
    public DuplicateCheck Check(
        in ChannelKey key, MessageId id, bool confirmable, ReadOnlySpan<byte> datagram, long now, out Ticket ticket,
        bool isVerified = false) =>
        Check(HashOf(key), id, confirmable, datagram, now, out ticket, isVerified);

    /// <summary>Looks up a received message of a sender whose <see cref="HashOf"/> is known.</summary>
    public DuplicateCheck Check(
        in SenderHash sender, MessageId id, bool confirmable, ReadOnlySpan<byte> datagram, long now, out Ticket ticket,
        bool isVerified = false)
    {
        Sweep(now);
        var content = _hash.Of(datagram);
        var known = _entries.Find(sender.Channel, id.Value);
        var outcome = DuplicateCheck.New;
        if (known >= 0)
        {
            ref var entry = ref _entries.All[known];
            var isLive = now < entry.Expiry;
            if (isLive && entry.Content == content)
            {
                ticket = new(known, entry.Generation);
                return OutcomeOf(entry.State);
            }
            outcome = isLive ? DuplicateCheck.NewWithReusedId : DuplicateCheck.New;
            Drop(known);
        }
        var book = BookOf(isVerified);
        if (!MakeRoomForEntry(sender.Account, book))
        {
            ticket = default;
            return DuplicateCheck.Full;
        }
        var kind = confirmable ? WithoutAnswer : NonConfirmable;
        ticket = Add(sender, book, id.Value, content, kind, now + LifetimeOf(kind));
        return outcome;
    }

    /// <summary>Called when an empty ACK was sent.</summary>
    public void MarkAcknowledged(Ticket ticket)
    {
        if (!IsLive(ticket)) { return; }
        ref var entry = ref _entries.All[ticket.Index];
        if (entry.State == EntryState.Received) { entry.State = EntryState.Acknowledged; }
    }

    /// <summary>
    /// Called when a message has been handled. From now on its entry may be dropped. The answer is the ACK or Reset of a confirmable message; it is
    /// empty if only an empty ACK or nothing was sent. An address that the message itself has verified is a verified one from now on.
    /// </summary>
    /// <returns>Whether there was room for the answer. If not, an Unsafe message is kept without it, and others are removed.</returns>
    public bool Retain(Ticket ticket, RetentionClass retention, ReadOnlySpan<byte> answer, long now, bool isVerified = false)
    {
        Sweep(now);
        if (!IsLive(ticket)) { return false; }
        ref var entry = ref _entries.All[ticket.Index];
        Detach(ref entry, ticket.Index);
        var isNon = KindOf(entry.List) == NonConfirmable;
        var book = Math.Max(BookOf(isVerified), BookOf(entry.List));
        if (book != BookOf(entry.List))
        {
            var account = _peers.AccountOf(entry.Peer);
            _peers.RemoveEntry(entry.Peer);
            if (_entriesOf[book] >= EntriesFor(book)) { MakeRoom(_peers.Find(account, book), book); }
            entry.Peer = _peers.AddEntry(account, book);
        }
        var keepsBytes = answer.Length > 0 && !isNon;
        if (keepsBytes && !TryStore(ref entry, book, retention, answer))
        {
            if (retention != RetentionClass.Unsafe)
            {
                Erase(ticket.Index);
                return false;
            }
            entry.State = EntryState.AnswerLost;
            Attach(ref entry, ticket.Index, book, WithoutAnswer, retention);
            return false;
        }
        if (keepsBytes) { entry.State = EntryState.Answered; }
        else if (entry.State != EntryState.Acknowledged) { entry.State = EntryState.Handled; }
        Attach(ref entry, ticket.Index, book, isNon ? NonConfirmable : keepsBytes ? WithAnswer : WithoutAnswer, retention);
        return true;
    }

    /// <summary>Removes a message. The next one with the same bytes is new.</summary>
    public void Forget(Ticket ticket)
    {
        if (IsLive(ticket)) { Drop(ticket.Index); }
    }

    /// <summary>Returns the length of the retained answer, or 0 if there is none.</summary>
    public int AnswerLength(Ticket ticket) => IsLive(ticket) ? _entries.All[ticket.Index].AnswerLength : 0;

    /// <summary>Copies the retained answer and returns its length.</summary>
    public int CopyAnswer(Ticket ticket, Span<byte> destination)
    {
        var length = AnswerLength(ticket);
        if (length > 0) { _answers.Copy(_entries.All[ticket.Index].Answer, length, destination); }
        return length;
    }

    // The holder of an IPv6 site has thousands of networks. With a share for each, small shares would push out the entries of all others.
    private ulong HashAccount(in PeerIdentity peer) => Account.Of(peer).Widest.Hash(_peerKey);

    private static DuplicateCheck OutcomeOf(EntryState state) => state switch
    {
        EntryState.Received => DuplicateCheck.InProgress,
        EntryState.Acknowledged => DuplicateCheck.Acknowledged,
        EntryState.Answered => DuplicateCheck.Answered,
        EntryState.AnswerLost => DuplicateCheck.AnswerLost,
        _ => DuplicateCheck.Ignore,
    };

    private long LifetimeOf(int kind) => kind == NonConfirmable ? _nonLifetime : _exchangeLifetime;

    private bool IsLive(Ticket ticket) =>
        (uint)ticket.Index < (uint)_entries.Touched && _entries.All[ticket.Index].Generation == ticket.Generation;

    private static int BookOf(bool isVerified) => isVerified ? 1 : 0;

    private static int BookOf(int list) => list / (Kinds * Classes);

    private static int KindOf(int list) => list / Classes % Kinds;

    // Verified peers leave a quarter, so that new peers are served when verified ones have filled their book.
    private int EntriesFor(int book) => book == 0 ? settings.Capacity - _entriesOf[1] : settings.Capacity - (settings.Capacity / 4);

    private int CellsFor(int book) => book == 0 ? _answers.Capacity - _cellsOf[1] : _answers.Capacity - (_answers.Capacity / 4);

    private Ticket Add(in SenderHash sender, int book, ushort messageId, ulong content, int kind, long expiry)
    {
        var peer = _peers.AddEntry(sender.Account, book);
        var index = _entries.Add(sender.Channel, peer, messageId);
        ref var entry = ref _entries.All[index];
        entry.Content = content;
        entry.Expiry = expiry;
        entry.State = kind == NonConfirmable ? EntryState.Handled : EntryState.Received;
        Attach(ref entry, index, book, kind, RetentionClass.InProgress);
        _nextExpiry = Math.Min(_nextExpiry, expiry);
        return new(index, entry.Generation);
    }

    private void Attach(ref ReceivedEntry entry, int index, int book, int kind, RetentionClass retention)
    {
        entry.List = (byte)((((book * Kinds) + kind) * Classes) + (int)retention);
        _lists[entry.List].Append(_entries.All, index);
        _entriesOf[book]++;
        _cellsOf[book] += AnswerCells.CellsFor(entry.AnswerLength);
        if (retention == RetentionClass.InProgress) { return; }
        _peers.ListOf(entry.Peer, retention).Append(_entries.All, index);
        _peers.AddRetained(entry.Peer, 1);
    }

    private void Detach(ref ReceivedEntry entry, int index)
    {
        _lists[entry.List].Remove(_entries.All, index);
        _entriesOf[BookOf(entry.List)]--;
        var retention = (RetentionClass)(entry.List % Classes);
        if (retention != RetentionClass.InProgress)
        {
            _peers.ListOf(entry.Peer, retention).Remove(_entries.All, index);
            _peers.AddRetained(entry.Peer, -1);
        }
        if (entry.AnswerLength == 0) { return; }
        _answers.Release(entry.Answer, entry.AnswerLength);
        _cellsOf[BookOf(entry.List)] -= AnswerCells.CellsFor(entry.AnswerLength);
        _peers.AddCells(entry.Peer, -AnswerCells.CellsFor(entry.AnswerLength));
        entry.AnswerLength = 0;
    }

    private void Erase(int index)
    {
        var peer = _entries.All[index].Peer;
        _entries.Remove(index);
        _peers.RemoveEntry(peer);
    }

    private void Drop(int index)
    {
        Detach(ref _entries.All[index], index);
        Erase(index);
    }

    private void Sweep(long now)
    {
        if (now < _nextExpiry) { return; }
        var left = SweepLength;
        _nextExpiry = long.MaxValue;
        for (var list = 0; list < Lists; list++)
        {
            var index = _lists[list].Oldest;
            while (index >= 0 && left > 0 && now >= _entries.All[index].Expiry)
            {
                Drop(index);
                left--;
                index = _lists[list].Oldest;
            }
            if (index >= 0) { _nextExpiry = Math.Min(_nextExpiry, _entries.All[index].Expiry); }
        }
    }

    private bool MakeRoomForEntry(ulong account, int book)
    {
        var isOver = _entriesOf[book] >= EntriesFor(book);
        if (!isOver && !_entries.IsFull) { return true; }
        var peer = _peers.Find(account, book);
        if (isOver) { return MakeRoom(peer, book); }
        return MakeRoom(peer, book: 0) || (book > 0 && MakeRoom(peer, book));
    }

    private bool MakeRoom(int peer, int book, RetentionClass highest = RetentionClass.Unsafe, bool forBytes = false)
    {
        var victim = Victim(peer, book, highest, forBytes);
        if (victim < 0) { return false; }
        Drop(victim);
        Dropped++;
        return true;
    }

    private bool TryStore(ref ReceivedEntry entry, int book, RetentionClass retention, ReadOnlySpan<byte> answer)
    {
        var cells = AnswerCells.CellsFor(answer.Length);
        if (answer.Length > settings.MaxAnswerSize || cells > CellsFor(book)) { return false; }
        for (var tries = cells + PeerShares.Least; _answers.Free < cells || _cellsOf[book] + cells > CellsFor(book); tries--)
        {
            if (tries == 0) { return false; }
            var isOver = book == 0 || _cellsOf[book] + cells > CellsFor(book);
            if (!isOver && MakeRoom(-1, book: 0, forBytes: true)) { continue; }
            if (!MakeRoom(entry.Peer, book, retention, forBytes: true)) { return false; }
        }
        entry.Answer = _answers.Store(answer);
        entry.AnswerLength = answer.Length;
        _peers.AddCells(entry.Peer, cells);
        return true;
    }

    private int Victim(int peer, int book, RetentionClass highest, bool forBytes)
    {
        var isMember = peer >= 0 && _peers.BookOf(peer) == book;
        var active = Math.Max(1, isMember ? _peers.ActiveIn(book) : _peers.ActiveIn(book) + 1);
        var share = Math.Max(PeerShares.Least, (forBytes ? CellsFor(book) : EntriesFor(book)) / active);
        if (isMember && (forBytes ? _peers.CellsOf(peer) : _peers.EntriesOf(peer)) >= share) { return _peers.Droppable(peer, highest); }
        var largest = _peers.Largest(book, forBytes);
        var excess = largest < 0 ? -1 : (forBytes ? _peers.CellsOf(largest) : _peers.RetainedOf(largest)) - share;
        var victim = excess >= 0 && 4L * excess >= share ? _peers.Droppable(largest, highest) : -1;
        for (var retention = RetentionClass.Safe; victim < 0 && retention <= highest; retention++)
        {
            var isOfLargest = retention == RetentionClass.Unsafe && excess >= 0;
            victim = isOfLargest ? _peers.Droppable(largest, highest) : Oldest(book, retention, forBytes);
        }
        return victim;
    }

    private int Oldest(int book, RetentionClass retention, bool forBytes)
    {
        var oldest = -1;
        var since = long.MaxValue;
        for (var kind = WithAnswer; kind <= (forBytes ? WithAnswer : NonConfirmable); kind++)
        {
            var index = _lists[(((book * Kinds) + kind) * Classes) + (int)retention].Oldest;
            if (index < 0 || _entries.All[index].Expiry - LifetimeOf(kind) >= since) { continue; }
            since = _entries.All[index].Expiry - LifetimeOf(kind);
            oldest = index;
        }
        return oldest;
    }
}
