using CoAP.TestSupport;

namespace CoAP.Interop.Tests.Programs;

/// <summary>Which bodies are exchanged in which blocks: each pair of values at least once, and everything where <c>COAP_TESTS=full</c>.</summary>
internal static class TransferCases
{
    public static readonly int[] BlockSizes = [16, 32, 64, 128, 256, 512, 1024];
    public static readonly int[] BodySizes = [0, 1, 15, 16, 17, 1023, 1024, 1025, 1 << 20];

    // Half a minute each where every block waits for the one before it.
    private const int LargestInSmallBlocks = 1025;
    private const int SmallBlock = 128;

    /// <summary>Body size, block size, and one of a number of ways.</summary>
    public static IEnumerable<(int Body, int Block, int Way)> Of(int ways)
    {
        foreach (var (body, row) in BodySizes.Select((body, row) => (body, row)))
        {
            foreach (var (block, column) in BlockSizes.Select((block, column) => (block, column)))
            {
                for (var way = 0; way < ways; way++)
                {
                    // A Latin square: each body meets each block size, and each of both meets each way.
                    var isSelected = (row + column) % ways == way && (body <= LargestInSmallBlocks || block >= SmallBlock);
                    if (TestLevel.IsFull || isSelected) { yield return (body, block, way); }
                }
            }
        }
    }
}
