using System.Security.Cryptography;
using CoAP.TestSupport;

namespace CoAP.Fuzzing.Engine;

/// <summary>What a target is given: one or several steps of bytes. A parser reads them one after another, a state machine takes each as an event.</summary>
internal sealed class FuzzInput(IReadOnlyList<byte[]> steps)
{
    public IReadOnlyList<byte[]> Steps { get; } = steps;

    public int Length => Steps.Sum(step => step.Length);

    /// <summary>A name that the same bytes always get.</summary>
    public string Name => Convert.ToHexStringLower(SHA256.HashData(Joined()).AsSpan(0, 6)) + $"-{Steps.Count}";

    /// <summary>Reads a file of a corpus: one step on each line, in hexadecimal, a remark behind '#'.</summary>
    public static FuzzInput Parse(string text) => new([.. text.Split('\n').Select(Hex.Bytes).Where(step => step.Length > 0)]);

    public byte[] Joined() => [.. Steps.SelectMany(step => step)];

    /// <summary>The text that <see cref="Parse"/> reads.</summary>
    public override string ToString() => string.Concat(Steps.Select(step => Hex.Text(step) + "\n"));
}
