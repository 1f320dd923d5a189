using System.Globalization;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace CoAP;

/// <summary>Checks the values of settings. Each method returns the value, or throws with the name of the property that is being set.</summary>
/// <remarks>The message states the value, so <see cref="ArgumentOutOfRangeException.ActualValue"/> is not set: it would be appended to the message.</remarks>
internal static class Bound
{
    private const int SmallestBlock = 16;
    private const int LargestBlock = 1024;

    public static T Within<T>(T value, T least, T most, [CallerMemberName] string name = "")
        where T : IComparable<T>
    {
        // NaN compares as less than every number, so it fails here.
        if (value.CompareTo(least) >= 0 && value.CompareTo(most) <= 0) { return value; }
        throw new ArgumentOutOfRangeException(name, string.Create(CultureInfo.InvariantCulture, $"{name} is {value}; {least} to {most} are allowed."));
    }

    public static T? Within<T>(T? value, T least, T most, [CallerMemberName] string name = "")
        where T : struct, IComparable<T> => value is { } set ? Within(set, least, most, name) : null;

    public static T AtLeast<T>(T value, T least, [CallerMemberName] string name = "")
        where T : IComparable<T>
    {
        if (value.CompareTo(least) >= 0) { return value; }
        throw new ArgumentOutOfRangeException(name, string.Create(CultureInfo.InvariantCulture, $"{name} is {value}; it must be at least {least}."));
    }

    public static TimeSpan Positive(TimeSpan value, [CallerMemberName] string name = "") =>
        value > TimeSpan.Zero ? value : throw new ArgumentOutOfRangeException(name, $"{name} is {value}; it must be positive.");

    public static TimeSpan? Positive(TimeSpan? value, [CallerMemberName] string name = "") => value is { } time ? Positive(time, name) : null;

    /// <summary>Returns a time, which may be <see cref="Timeout.InfiniteTimeSpan"/>.</summary>
    public static TimeSpan? PositiveOrInfinite(TimeSpan? value, [CallerMemberName] string name = "") =>
        value == Timeout.InfiniteTimeSpan ? value : Positive(value, name);

    public static T NotNull<T>(T? value, [CallerMemberName] string name = "")
        where T : class => value ?? throw new ArgumentNullException(name, $"{name} is null; a value is required.");

    public static IReadOnlyList<T> NoneNull<T>(IReadOnlyList<T?>? value, [CallerMemberName] string name = "")
        where T : class
    {
        foreach (var element in NotNull(value, name))
        {
            if (element is null) { throw new ArgumentNullException(name, $"{name} contains null; each element requires a value."); }
        }
        return value!;
    }

    public static T Defined<T>(T value, [CallerMemberName] string name = "")
        where T : struct, Enum
    {
        if (Enum.IsDefined(value)) { return value; }
        throw new ArgumentOutOfRangeException(name, $"{name} is {value}; the values of {typeof(T).Name} are {string.Join(", ", Enum.GetNames<T>())}.");
    }

    public static T? Defined<T>(T? value, [CallerMemberName] string name = "")
        where T : struct, Enum => value is { } set ? Defined(set, name) : null;

    /// <summary>Returns a time that the timers of the system accept.</summary>
    public static TimeSpan TimerTime(TimeSpan value, [CallerMemberName] string name = "") => value.TotalMilliseconds is >= 1 and <= int.MaxValue
        ? value
        : throw new ArgumentOutOfRangeException(name, $"{name} is {value}; 1 ms to 24 days are allowed.");

    public static int BlockSize(int value, [CallerMemberName] string name = "") =>
        value is >= SmallestBlock and <= LargestBlock && BitOperations.IsPow2(value)
            ? value
            : throw new ArgumentOutOfRangeException(
                name, $"{value} is not a block size. Use 16, 32, 64, 128, 256, 512 or 1024 (RFC 7959, section 2.2).");
}
