namespace CoAP;

/// <summary>What happens to an item when the bounded buffer in front of a user's block is full, or the block has failed.</summary>
public enum OverflowRule
{
    /// <summary>The item goes past the block, straight to the next stage; it is counted.</summary>
    PassBy,

    /// <summary>The item is dropped and counted: datagrams are sent again by their peers.</summary>
    Drop,
}
