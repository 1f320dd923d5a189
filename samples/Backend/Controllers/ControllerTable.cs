using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Text.RegularExpressions;

namespace Backend;

/// <summary>
/// The controllers that have reported or registered. Their number is limited, also for each identity. A new controller takes the place of the one that has
/// been silent for longest, if that is longer than a limit.
/// </summary>
internal sealed partial class ControllerTable(BackendSettings settings, IReadingStore store, TimeProvider time)
{
    // A search looks at all controllers. A peer that is refused may try again at once.
    private static readonly TimeSpan BetweenSearches = TimeSpan.FromSeconds(1);

    private readonly ConcurrentDictionary<string, Controller> _controllers = new(StringComparer.Ordinal);
    private readonly Dictionary<string, Share> _shares = new(StringComparer.Ordinal);     // by identity
    private readonly Share _all = new();
    private readonly Lock _gate = new();

    public IEnumerable<Controller> All => _controllers.Select(static one => one.Value);

    public int Count => Volatile.Read(ref _all.Count);

    [GeneratedRegex(@"\A[A-Za-z0-9._-]{1,64}\z")]
    private static partial Regex Id { get; }

    public static bool IsId(string text) => Id.IsMatch(text);

    public bool TryFind(string id, [NotNullWhen(true)] out Controller? controller) => _controllers.TryGetValue(id, out controller);

    /// <summary>Finds or adds a controller that has called. Returns <see langword="false"/> if there are too many.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="owner">The identity of the caller. It is empty for all programs without a key.</param>
    /// <param name="controller">The controller.</param>
    public bool TryAdd(string id, string owner, [NotNullWhen(true)] out Controller? controller)
    {
        var now = time.GetUtcNow();
        if (_controllers.TryGetValue(id, out controller) && IsOwnedBy(controller, owner) && controller.TryTouch(now)) { return true; }
        lock (_gate)
        {
            if (_controllers.TryGetValue(id, out controller) && controller.TryTouch(now))
            {
                if (!IsOwnedBy(controller, owner)) { Move(controller, owner); }
                return true;
            }
            if (!HasRoom(owner, now)) { return false; }
            _controllers[id] = controller = new Controller(id, owner, now);
            ShareOf(owner).Count++;
            _all.Count++;
            return true;
        }
    }

    // A program without a key takes nothing over.
    private static bool IsOwnedBy(Controller controller, string caller) => caller.Length == 0 || controller.Owner == caller;

    private void Move(Controller controller, string owner)
    {
        Release(controller.Owner);
        controller.Owner = owner;
        ShareOf(owner).Count++;
    }

    private bool HasRoom(string owner, DateTimeOffset now)
    {
        if (_shares.GetValueOrDefault(owner) is { } share && share.Count >= settings.MaxControllersPerIdentity) { return TryEvict(share, owner, now); }
        return _all.Count < settings.MaxControllers || TryEvict(_all, null, now);
    }

    private bool TryEvict(Share share, string? owner, DateTimeOffset now)
    {
        if (now < share.NextSearch) { return false; }
        var silentSince = now - settings.SilentAfter;
        var silent = All.Where(one => one.LastContact <= silentSince && (owner is null || one.Owner == owner))
            .OrderBy(static one => one.LastContact)
            .FirstOrDefault(one => one.TryEnd(silentSince));
        if (silent is null)
        {
            share.NextSearch = now + BetweenSearches;
            return false;
        }
        _controllers.TryRemove(silent.Id, out _);
        _all.Count--;
        Release(silent.Owner);
        store.Forget(silent.Id);
        return true;
    }

    private Share ShareOf(string owner)
    {
        if (!_shares.TryGetValue(owner, out var share)) { _shares[owner] = share = new Share(); }
        return share;
    }

    private void Release(string owner)
    {
        if (--_shares[owner].Count == 0) { _shares.Remove(owner); }
    }

    private sealed class Share
    {
        public int Count;

        public DateTimeOffset NextSearch { get; set; }
    }
}
