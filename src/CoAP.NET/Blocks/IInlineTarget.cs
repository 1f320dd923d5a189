using System.Threading.Tasks.Dataflow;

namespace CoAP.Blocks;

/// <summary>A target within a lane, which takes an item where it lies: as Dataflow offers it, every hop would copy it.</summary>
internal interface IInlineTarget<T>
{
    DataflowMessageStatus Take(in T item);
}
